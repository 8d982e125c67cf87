"""Run `python -m companion` as the command `companion`."""

from companion.commands.main import main

if __name__ == "__main__":
    main()
