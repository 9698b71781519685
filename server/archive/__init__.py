"""The archive: matches that are over, searched, exported as text or JSON, and imported."""
