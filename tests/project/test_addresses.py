"""No file names a package registry: every machine has its own."""

from tests.project.repository import ROOT, files

REGISTRIES = ("pypi" + ".org", "pythonhosted" + ".org", "npmjs" + ".org", "npmjs" + ".com", "yarnpkg" + ".com")
OPTIONS = ("--index" + "-url", "--extra-index" + "-url", "--find" + "-links")


def test_no_file_names_the_address_of_a_registry() -> None:
    for path in files():
        content = path.read_bytes()
        named = [name for name in (*REGISTRIES, *OPTIONS) if name.encode() in content]
        assert not named, f"{path.relative_to(ROOT)} names {named}"
