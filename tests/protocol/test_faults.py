"""Malformed frames: the fault is explained in a sentence that names the field."""

import pytest

from millrace.protocol import MalformedError, parse_client_message

CREATE = '{"type":"create","id":"c","game":"morris","seats":[{"occupant":"me"},%s]}'


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (CREATE % '{"occupant":"bot","level":99}', "The field seats[1].level must be at most 8."),
        (CREATE % '{"occupant":"it"}', "The field seats[1].occupant cannot be 'it'."),
        (CREATE % '{"occupant":"bot","strength":1}', "There is no field seats[1].strength."),
        (CREATE % "5", "The field seats[1] must be an object, not a whole number."),
        ('{"type":"create","id":"c","game":"morris"}', "The field seats is missing."),
        ('{"type":"create","id":"c","game":"morris","seats":[]}', "The field seats must have at least 1 entry."),
        ('{"type":"create","id":7}', "The field id must be a text, not a whole number."),
        ('{"type":"create","id":"a b"}', "The field id has forbidden characters."),
        ('{"type":"ping","id":"' + 65 * "x" + '"}', None),
        ('{"type":"castle"}', "There is no type 'castle'."),
        ('{"id":"c"}', "The field type is missing."),
        ("[]", "It must be an object, not a list."),
        ("{", "This is not JSON: it ends too early."),
        (b'{"type":"\xff"}', None),
        ("[" * 5000, None),
    ],
)
def test_a_malformed_frame_is_explained_by_a_sentence_that_names_the_field(
    frame: str | bytes, sentence: str | None
) -> None:
    with pytest.raises(MalformedError) as raised:
        parse_client_message(frame)
    explanation = str(raised.value)
    assert sentence in (None, explanation)
    assert explanation.endswith(".")
    assert not set("`$") & set(explanation)
