"""Ladders: a standing competition by correspondence, in which players challenge those above them."""
