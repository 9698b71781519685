"""The locks pin, with hashes, what the project needs."""

import re
import tomllib
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project.repository import read

PYPROJECT = tomllib.loads(read("pyproject.toml"))
PROJECT = PYPROJECT["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def requirements_of(*extras: str) -> set[str]:
    """Return what some extras need, also through other extras of Millrace."""
    found = set[str]()
    for text in (text for extra in extras for text in EXTRAS[extra]):
        requirement = Requirement(text)
        found |= requirements_of(*requirement.extras) if requirement.name == "millrace" else {text}
    return found


IN_THE_IMAGE = ("server", "postgres", "cluster", "tracing")

NEEDS = {
    "requirements.lock": {*PROJECT["dependencies"], *requirements_of("test")},
    "requirements-server.lock": {*PROJECT["dependencies"], *requirements_of(*IN_THE_IMAGE)},
    "requirements-build.lock": {*PYPROJECT["build-system"]["requires"]},
}


class Pin(NamedTuple):
    requirement: Requirement
    hashes: tuple[str, ...]

    @property
    def name(self) -> str:
        return canonicalize_name(self.requirement.name)

    @property
    def version(self) -> str:
        (specifier,) = self.requirement.specifier
        return specifier.version


def read_pins(name: str) -> list[Pin]:
    """Return the pins of a lock file, which has nothing but pins."""
    pins = []
    for entry in read(name).replace("\\\n", " ").splitlines():
        requirement, *hashes = re.split(r"\s+--hash=", entry.strip())
        pins.append(Pin(Requirement(requirement), tuple(hashes)))
    return pins


@pytest.mark.parametrize("name", NEEDS)
def test_every_pin_is_exact_and_has_hashes(name: str) -> None:
    for pin in read_pins(name):
        assert [specifier.operator for specifier in pin.requirement.specifier] == ["=="], pin
        assert pin.hashes, pin
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in pin.hashes), pin


@pytest.mark.parametrize("name", NEEDS)
def test_every_requirement_is_pinned_within_its_bounds(name: str) -> None:
    pins = read_pins(name)
    for text in NEEDS[name]:
        need = Requirement(text)
        versions = [
            pin.version for pin in pins if canonicalize_name(pin.requirement.name) == canonicalize_name(need.name)
        ]
        assert versions, f"{need.name} is not pinned"
        assert all(need.specifier.contains(version) for version in versions), f"{need} is pinned to {versions}"


@pytest.mark.parametrize("name", ["requirements-server.lock", "requirements-build.lock"])
def test_the_image_has_the_tested_versions(name: str) -> None:
    assert {str(pin) for pin in read_pins(name)} <= {str(pin) for pin in read_pins("requirements.lock")}


def test_the_image_installs_nothing_that_is_not_pinned() -> None:
    commands = re.findall(r"^RUN (pip .*)$", read("Dockerfile"), re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        assert "--require-hashes" in command or "--no-deps" in command
        assert "pip wheel" not in command or "--no-build-isolation" in command
