"""Who someone is to others, who is connected, and what a connection may do."""
