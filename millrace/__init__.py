"""Millrace: play Nine Men's Morris, Battle Sheep and Ming Mang online.

What is public: `millrace.client` (the Python library), `millrace.engine` (rules and search) and
`millrace.protocol` (every message). In a checkout the folders beside this file are links to those above it; the
wheel puts the folders themselves here.
"""
