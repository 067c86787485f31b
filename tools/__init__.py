"""What makes the pictures of the documentation; nothing of it is installed."""
