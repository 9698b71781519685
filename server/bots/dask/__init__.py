"""Bots on a Dask cluster: one queue for all servers, in the Dask scheduler, and searches in the Dask workers.

    server                      Dask scheduler                   Dask worker
    cluster_bots, link  <--->   queue_plugin (dispatcher) <--->  search_slots

`messages` has their messages. The scheduler and the workers load their part with `--preload
millrace.server.bots.dask.preload`. See docs/cluster.md.
"""
