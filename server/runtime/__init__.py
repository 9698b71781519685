"""What every part of the server runs on: the clock, turns, cancelling, child processes, settings, metrics."""
