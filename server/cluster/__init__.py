"""Several nodes as one: the bus by which features hear from each other, membership, and leases."""
