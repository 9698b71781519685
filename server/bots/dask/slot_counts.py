"""How a Dask worker is told what it may use: resources of Dask, and a variable of its environment."""

LONG = "long"
"""The resource that counts slots for searches of any length."""

SHORT = "short"
"""The resource that counts further slots, for short searches only."""

PROCESSORS = "processors"
"""The resource that counts the processors which a single search may use."""

DATA_DIR = "MILLRACE_DATA_DIR"
"""The variable that names the folder with tablebases and opening books."""
