"""Chat beside a match: `chat_store` stores the lines, `chat_handler` answers the messages."""
