"""The web server: the port, connections and sessions, pages, and link previews."""
