"""Chat beside a match: `line_rules` judges lines, `store` is what is stored, `handler` answers the messages."""
