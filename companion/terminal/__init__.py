"""The race at the terminal: the desk asks, lines are typed, and what follows is printed in 80 by 24."""
