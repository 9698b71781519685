"""Chat beside a match: `line_rules` judges lines, `chat_store` stores them, `chat_handler` answers the messages."""
