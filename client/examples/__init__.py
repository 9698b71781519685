"""Programs to begin from: each is run by `python -m client.examples.NAME [ADDRESS]`."""
