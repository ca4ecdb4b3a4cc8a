"""`python -m webvigil` runs the `webvigil` command."""

from webvigil.cli.main import main

if __name__ == "__main__":
    main()
