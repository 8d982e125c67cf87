"""What is shown, on paper: race sheets as PDF, and the code that a phone reads."""
