"""Example programs. Run one with `python -m millrace.client.examples.NAME [ADDRESS]`."""
