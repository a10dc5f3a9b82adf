"""A lenient reader would make something of each of these; this one does not."""

import pytest

from dormie_rules.strict_json import read_json


@pytest.mark.parametrize(
    "text",
    ["", "{", "{'a':1}", '{"a":NaN}', "[Infinity]", "-Infinity", '{"a":1,"a":1}', "[" * 100_000],
)
def test_what_is_not_json_by_the_letter_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_json(text)


def test_a_field_twice_is_found_at_any_depth() -> None:
    with pytest.raises(ValueError, match="twice"):
        read_json('{"a": [{"b": 1, "b": 2}]}')


def test_everything_else_is_read() -> None:
    assert {"a": [1, None, "é"], "b": {}} == read_json('{"a": [1, null, "é"], "b": {}}')
