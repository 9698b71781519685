"""The door: the port, the connections that come through it, and what each may send and hears."""
