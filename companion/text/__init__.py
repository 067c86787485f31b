"""Sentences as templates with named facts, so that they can be said in any language; errors made of them."""
