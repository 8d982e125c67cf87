"""What stands on the table beside the screen, tried without any of it."""
