"""The conformance run: checks a bot in many situations, as `millrace bot-check` does.

`check` runs the `scenarios`; in each, a `bench` plays against the bot and reports its faults. `proxy` stands between
the bot and the server; it sees refusals and can cut the connection.
"""
