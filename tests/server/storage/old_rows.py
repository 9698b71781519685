"""Rows as the servers before 0.1.0 stored them, at revision 0012."""

OLD_ROWS = (
    "INSERT INTO measures VALUES ('ben', 'closure', 'cheated', NULL), ('cat', 'mute', 'insulted', 5)",
    "INSERT INTO people (identity, bio, is_hidden, toggled_notices) VALUES ('ann', 'hello', TRUE, 'your_turn')",
    "INSERT INTO notices (identity, kind, subject, at_ms, player_registered, player_bot, words, is_read) "
    "VALUES ('ann', 'match_ended', 'm', 7, FALSE, FALSE, 'You won.', FALSE)",
    "INSERT INTO reports (reporter, command_id, player, text, reason, words, at_ms) "
    "VALUES ('ann', 'c', 'ben', '', 'cheating', 'Look!', 8)",
    'INSERT INTO moderation_log (number, at_ms, "by", by_name, command_id, deed, reason, detail) '
    "VALUES (1, 9, 'mod', 'Mod', 'c', 'close', 'cheated', '')",
    "INSERT INTO chat_lines (match, number, room, identity, name, registered, command_id, text, at_ms) "
    "VALUES ('m', 1, 'watchers', 'ann', 'Ann', TRUE, 'c', 'Hi', 10)",
    "INSERT INTO match_analyses VALUES ('m', 'engine', '[{\"worth\": 1}]', 11)",
)
