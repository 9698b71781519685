"""Chat beside a match: `line_rules` checks lines, `chat_store` stores them, `chat_handler` answers the messages."""
