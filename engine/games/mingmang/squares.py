"""The Ming Mang board as bitboards: what men reach, fill and close, for either side.

Square a1 is bit 0, h1 bit 7, h8 bit 63; north is a shift by eight to the left, east by one.

     8  56 57 58 59 60 61 62 63
     7  48 49 50 51 52 53 54 55
     :
     2   8  9 10 11 12 13 14 15
     1   0  1  2  3  4  5  6  7
         a  b  c  d  e  f  g  h
"""

import numpy as np

from ...bits import NO_CELLS, Bitboard, cell_bit, highest_cell, kernel, lowest_cell

NOT_A_FILE = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_H_FILE = np.uint64(0x7F7F7F7F7F7F7F7F)
NORTH_OF_A1 = np.uint64(0x0101010101010100)
SOUTH_OF_H8 = np.uint64(0x0080808080808080)

ONE = np.uint64(1)
TWO = np.uint64(2)
FOUR = np.uint64(4)
RANK = np.uint64(8)
TWO_RANKS = np.uint64(16)
FOUR_RANKS = np.uint64(32)


@kernel
def north_reach(men: Bitboard, empties: Bitboard) -> Bitboard:
    """Return the empty squares that `men` reach by sliding north (Kogge-Stone occluded fill)."""
    men |= empties & (men << RANK)
    path = empties & (empties << RANK)
    men |= path & (men << TWO_RANKS)
    path &= path << TWO_RANKS
    return (men | path & (men << FOUR_RANKS)) & empties


@kernel
def south_reach(men: Bitboard, empties: Bitboard) -> Bitboard:
    """Return the empty squares that `men` reach by sliding south."""
    men |= empties & (men >> RANK)
    path = empties & (empties >> RANK)
    men |= path & (men >> TWO_RANKS)
    path &= path >> TWO_RANKS
    return (men | path & (men >> FOUR_RANKS)) & empties


@kernel
def east_reach(men: Bitboard, empties: Bitboard) -> Bitboard:
    """Return the empty squares that `men` reach by sliding east."""
    open_squares = empties & NOT_A_FILE
    men |= open_squares & (men << ONE)
    path = open_squares & (open_squares << ONE)
    men |= path & (men << TWO)
    path &= path << TWO
    return (men | path & (men << FOUR)) & open_squares


@kernel
def west_reach(men: Bitboard, empties: Bitboard) -> Bitboard:
    """Return the empty squares that `men` reach by sliding west."""
    open_squares = empties & NOT_H_FILE
    men |= open_squares & (men >> ONE)
    path = open_squares & (open_squares >> ONE)
    men |= path & (men >> TWO)
    path &= path >> TWO
    return (men | path & (men >> FOUR)) & open_squares


@kernel
def reach(men: Bitboard, empties: Bitboard) -> Bitboard:
    """Return the empty squares that `men` reach in one move."""
    return north_reach(men, empties) | south_reach(men, empties) | east_reach(men, empties) | west_reach(men, empties)


@kernel
def neighbours(squares: Bitboard) -> Bitboard:
    """Return the squares that share a side with any of `squares`."""
    return (squares << RANK) | (squares >> RANK) | ((squares << ONE) & NOT_A_FILE) | ((squares >> ONE) & NOT_H_FILE)


@kernel
def flood(men: Bitboard, empties: Bitboard) -> Bitboard:
    """Return the squares that `men` reach by any number of moves without captures, their own included (2.7)."""
    reached = men
    grown = reached | neighbours(reached) & empties
    while grown != reached:
        reached = grown
        grown = reached | neighbours(reached) & empties
    return reached


@kernel
def ground(men: Bitboard, opponents: Bitboard, empties: Bitboard) -> tuple[Bitboard, Bitboard]:
    """Return the empty squares to which `men`, and to which `opponents`, have the shorter way over empty squares.

    Squares that both reach in the same number of steps belong to neither and end the way. Once walls of men separate
    the sides, this is what territory counts (2.7), except for the men.
    """
    own, theirs, free = men, opponents, empties
    while True:
        to_own, to_theirs = neighbours(own) & free, neighbours(theirs) & free
        if to_own | to_theirs == NO_CELLS:
            return own & empties, theirs & empties
        free &= ~(to_own | to_theirs)
        own |= to_own & ~to_theirs
        theirs |= to_theirs & ~to_own


@kernel
def closed_above(line: Bitboard, men: Bitboard, opponents: Bitboard) -> Bitboard:
    """Return the opponents on a line towards higher bits without a gap before the first of `men` (2.3)."""
    others = line & ~opponents
    if others == NO_CELLS:
        return NO_CELLS
    closer = cell_bit(lowest_cell(others))
    return line & (closer - ONE) if closer & men != NO_CELLS else NO_CELLS


@kernel
def closed_below(line: Bitboard, men: Bitboard, opponents: Bitboard) -> Bitboard:
    """Return the same for a line towards lower bits."""
    others = line & ~opponents
    if others == NO_CELLS:
        return NO_CELLS
    closer = cell_bit(highest_cell(others))
    return line & ~(closer | closer - ONE) if closer & men != NO_CELLS else NO_CELLS


@kernel
def taken_men(target: int, men: Bitboard, opponents: Bitboard) -> Bitboard:
    """Return the opponents that a man of `men` captures by arriving on `target`, in all four directions (2.3)."""
    man = cell_bit(target)
    if neighbours(man) & opponents == NO_CELLS:
        return NO_CELLS
    square = np.uint64(target)
    north = NORTH_OF_A1 << square
    south = SOUTH_OF_H8 >> (np.uint64(63) - square)
    east = (cell_bit(target | 7) - man) << ONE
    west = man - cell_bit(target & 56)
    return (
        closed_above(north, men, opponents)
        | closed_above(east, men, opponents)
        | closed_below(south, men, opponents)
        | closed_below(west, men, opponents)
    )


@kernel
def runs_upward(starts: Bitboard, men: Bitboard, shift: np.uint64, within: Bitboard) -> Bitboard:
    """Return `starts`, which are of `men`, and the men that follow them without a gap towards higher bits.

    Each step goes `shift` bits on and must arrive `within` (Kogge-Stone occluded fill).
    """
    path = men & within
    starts |= path & (starts << shift)
    path &= path << shift
    starts |= path & (starts << shift + shift)
    path &= path << shift + shift
    return starts | path & (starts << (shift + shift + shift + shift))


@kernel
def runs_downward(starts: Bitboard, men: Bitboard, shift: np.uint64, within: Bitboard) -> Bitboard:
    """Return the same towards lower bits."""
    path = men & within
    starts |= path & (starts >> shift)
    path &= path >> shift
    starts |= path & (starts >> shift + shift)
    path &= path >> shift + shift
    return starts | path & (starts >> (shift + shift + shift + shift))


@kernel
def men_in_danger(men: Bitboard, opponents: Bitboard, reached: Bitboard) -> Bitboard:
    """Return the men in lines with an opponent at one end and an empty square that the opponents reach at the other.

    The opponents could capture them in one move, unless the man that moves is the one that closes the line (2.3).
    """
    north = runs_upward(opponents << RANK & men, men, RANK, ~NO_CELLS)
    south = runs_downward(opponents >> RANK & men, men, RANK, ~NO_CELLS)
    east = runs_upward(opponents << ONE & NOT_A_FILE & men, men, ONE, NOT_A_FILE)
    west = runs_downward(opponents >> ONE & NOT_H_FILE & men, men, ONE, NOT_H_FILE)
    return (
        runs_downward(north & reached >> RANK, men, RANK, ~NO_CELLS)
        | runs_upward(south & reached << RANK, men, RANK, ~NO_CELLS)
        | runs_downward(east & (reached & NOT_A_FILE) >> ONE, men, ONE, NOT_H_FILE)
        | runs_upward(west & (reached & NOT_H_FILE) << ONE, men, ONE, NOT_A_FILE)
    )


@kernel
def has_men_between(men: Bitboard, squares: Bitboard) -> bool:
    """Return whether some of the men stand in a line without a gap, file or rank, with one of `squares` at either
    end."""
    north = runs_upward(squares << RANK & men, men, RANK, ~NO_CELLS)
    south = runs_downward(squares >> RANK & men, men, RANK, ~NO_CELLS)
    east = runs_upward(squares << ONE & NOT_A_FILE & men, men, ONE, NOT_A_FILE)
    west = runs_downward(squares >> ONE & NOT_H_FILE & men, men, ONE, NOT_H_FILE)
    return bool(north & south | east & west)
