"""The engine as WebAssembly: a game's kernels and the search as one module, which needs nothing from outside.

It is the same code as the native one, by the same numba, for another machine: equal to the node. `docs/engine.md` says
how a page uses it. Modules are made in a process of their own (`server.bots.module_process`).

    module.py            makes a module, and describes it
    module_files.py      finds and keeps modules in the kernel cache
    session.py           the exports: a match, and the searches of one page
    arrays.py            their arrays
    rules.py             moves, ends of play, clicks, perft
    searching.py         analysis
    choosing.py          the moves of levels
    unpacking.py         the table of patterns, which a module makes itself
    views.py             arrays at fixed places
    collecting.py        numba's code, before this machine's processor is thought of
    lowering.py          the code as a WebAssembly object
    object_file.py       reads the object
    linker.py            makes it a module
    leb.py               numbers of variable length
"""
