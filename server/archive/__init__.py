"""The archive: finished matches, searched, exported as text or JSON, and imported."""
