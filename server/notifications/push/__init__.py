"""Push messages: notifications for players without an open page, through their browsers' push services (RFC 8030).

encryption.py   a message that only the browser can read (RFC 8291)
server_keys.py  the key by which push services know this server (RFC 8292)
endpoints.py    which addresses may be pushed to, and where they are
delivery.py     one message to one push service
texts.py        a notification as its text
sender.py       what is due, in the background
push_store.py   interface to what is stored
push_handler.py the messages about it
"""
