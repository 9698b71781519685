"""The basis of every part of the server: the clock, turns, cancellation, child processes, settings, metrics."""
