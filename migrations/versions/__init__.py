"""The revisions, in order of their numbers; one that has been released is never changed."""
