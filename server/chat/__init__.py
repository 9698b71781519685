"""Talking beside the board: `limits` judges lines, `store` is what is kept, `desk` serves it to sessions."""
