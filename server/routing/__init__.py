"""What a feature registers: handlers of messages, and resources that answer GETs."""
