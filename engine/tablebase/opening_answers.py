"""The values of positions with many men in hand from the proof of the start, and their storage."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..game import TableBytes

OpeningAnswers: TypeAlias = Mapping[int, NDArray[np.uint64]]
"""Sorted answers (`placing_proof.proved_with`), by the kind of the question (`morris_results.answers_of`)."""

NO_ANSWERS: OpeningAnswers = {}

KINDS = 2


def bytes_of(answers: OpeningAnswers) -> TableBytes:
    """Return the answers as little-endian numbers of 64 bits: first those of one kind, then those of the other."""
    return np.concatenate([answers[kind].astype("<u8") for kind in range(KINDS)]).view(np.uint8)


def answers_in(content: TableBytes, first: int) -> OpeningAnswers:
    """Return the answers in such bytes, given the number of those of the first kind."""
    answers = content.view("<u8").astype(np.uint64)
    return {0: answers[:first], 1: answers[first:]}
