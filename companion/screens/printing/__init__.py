"""What a table takes home: the race sheet as a PDF, and a code for a phone, of the same plain data as the screens."""
