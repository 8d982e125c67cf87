"""What the screens are put together from: each shows one piece of plain data and tells what was touched."""
