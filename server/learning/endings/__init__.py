"""Endings to practise: solved positions against the most stubborn defence, judged by the tables and rated."""
