"""Digits as lines, so that a picture needs no font: a server may have none.

Each digit is a path in a box 0.6 wide and 1 high, to be drawn with a round pen.
"""

WIDTH = 0.6
GAP = 0.26

_PATHS = {
    "0": "M.3 0C.5 0 .6 .2 .6 .5C.6 .8 .5 1 .3 1C.1 1 0 .8 0 .5C0 .2 .1 0 .3 0Z",
    "1": "M.1 .2L.36 0V1M.1 1H.6",
    "2": "M.03 .25C.06 .08 .17 0 .31 0C.48 0 .58 .1 .58 .27C.58 .5 .2 .72 .02 1H.6",
    "3": "M.05 .05C.4 -.08 .58 .06 .56 .24C.55 .4 .42 .47 .25 .47C.44 .47 .6 .56 .6 .73C.6 .98 .32 1.08 .02 .93",
    "4": "M.42 1V0L0 .7H.6",
    "5": "M.54 0H.1L.06 .44C.4 .32 .6 .46 .6 .69C.6 .98 .3 1.08 .02 .92",
    "6": "M.5 .03C.2 .08 0 .35 0 .65C0 .88 .12 1 .3 1C.48 1 .6 .88 .6 .69C.6 .5 .47 .4 .31 .4C.16 .4 .04 .5 0 .65",
    "7": "M0 0H.6L.2 1",
    "8": (
        "M.3 .47C.1 .47 .04 .36 .04 .24C.04 .1 .14 0 .3 0C.46 0 .56 .1 .56 .24C.56 .36 .5 .47 .3 .47"
        "C.08 .47 0 .6 0 .73C0 .9 .12 1 .3 1C.48 1 .6 .9 .6 .73C.6 .6 .52 .47 .3 .47Z"
    ),
    "9": "M.1 .97C.4 .92 .6 .65 .6 .35C.6 .12 .48 0 .3 0C.12 0 0 .12 0 .31C0 .5 .13 .6 .29 .6C.44 .6 .56 .5 .6 .35",
}


def draw_number(number: int, height: float) -> str:
    """Return a number, centred on the origin, as SVG paths without a style."""
    digits = str(number)
    width = len(digits) * WIDTH + (len(digits) - 1) * GAP
    paths = [
        f'<path d="{_PATHS[digit]}" transform="translate({index * (WIDTH + GAP) - width / 2:.3f} -.5)"/>'
        for index, digit in enumerate(digits)
    ]
    return f'<g transform="scale({height:.3f})">{"".join(paths)}</g>'
