"""What a table takes home on paper: the race sheet as a PDF, of the same plain data that the screens show."""
