"""Texts in the language of the table: the catalogues of translations, sentences of devices and the system."""
