"""Several nodes as one: the bus between features, membership, and leases."""
