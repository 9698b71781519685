"""A few thousand inputs of each fuzz target; `python -m tests.fuzz` tries millions."""

import itertools
import random

import pytest

from tests.fuzz.mutation import mutations
from tests.fuzz.targets import TARGETS

RUNS = 2_000


@pytest.mark.parametrize("name", TARGETS)
def test_any_input_is_understood_or_refused(name: str) -> None:
    target = TARGETS[name]
    for seed in target.seeds:
        target.run(seed)
    for data in itertools.islice(mutations(target.seeds, target.words, random.Random(name)), RUNS):
        target.run(data)


def test_the_inputs_differ_and_some_are_slight_mutations() -> None:
    target = TARGETS["messages"]
    inputs = set(itertools.islice(mutations(target.seeds, target.words, random.Random(1)), RUNS))
    assert len(inputs) > RUNS * 0.9
