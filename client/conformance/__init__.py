"""The conformance run: has a bot meet every situation of a match, so that its author learns of faults before people do.

`scenarios` are what the bot meets, `opponent` plays against it and notices faults, `relay` stands between bot and
server to see and to cut their connection, `running` goes through the scenarios.
"""
