"""The tables of all features, on the one metadata: what migrations make, and what a copy of a database holds."""

from ..cluster import node_store
from ..storage.tables import metadata
from . import stores

__all__ = ["metadata", "node_store", "stores"]
