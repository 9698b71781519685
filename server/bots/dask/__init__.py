"""Bots on a Dask cluster: one queue for all servers, in the Dask scheduler, and searches in the Dask workers.

    server                      Dask scheduler                   Dask worker
    cluster_bots, link  <--->   queue_plugin (dispatcher) <--->  search_slots

`messages` is what they say to each other. The scheduler and the workers load their part by
`--preload millrace.server.bots.dask.preload`. docs/cluster.md describes the whole.
"""
