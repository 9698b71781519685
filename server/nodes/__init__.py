"""The nodes of a cluster: which servers share a database, who does what, and what only one of them does at a time."""
