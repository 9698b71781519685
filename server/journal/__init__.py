"""The journal: the stored events of every match, as the rest of the server sees it."""
