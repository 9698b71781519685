"""Push messages: notifications for players without an open page, through their browsers' push services (RFC 8030)."""
