"""Studies: lines of play with variations, comments and drawings, saved and shared by link."""
