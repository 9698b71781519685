"""The names for configuring a Dask worker: resources of Dask, and an environment variable."""

LONG = "long"
"""The resource that counts slots for searches of any length."""

SHORT = "short"
"""The resource that counts further slots, for short searches only."""

PROCESSORS = "processors"
"""The resource for the number of processors that a single search may use."""

DATA_DIR = "MILLRACE_DATA_DIR"
"""The variable that names the folder with tablebases and opening books."""
