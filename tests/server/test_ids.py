"""Tokens, codes and ids."""

import pytest
from pydantic import TypeAdapter

from dormie_protocol.fields import CODE_LETTERS, Code, Id, Token
from dormie_server.ids import (
    is_record_id,
    new_player_id,
    new_token,
    same,
    table_code,
    token_key,
)
from tests.nasty import CASES


def test_nasty_S02_a_token_is_long_and_kept_only_as_its_hash() -> None:
    hopes = CASES["S02"]["expected"]
    tokens = {new_token() for _ in range(1000)}
    token = tokens.pop()

    assert 999 == len(tokens)
    assert 256 >= hopes["bits_min"]
    assert 43 == len(token)
    assert token == TypeAdapter(Token).validate_python(token)
    assert 64 == len(token_key(token))
    assert token not in token_key(token)


def test_a_token_key_is_the_sha_256_of_the_token() -> None:
    """Kept tokens must be found again by whatever comes after this code."""
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    assert empty == token_key("")


@pytest.mark.parametrize(("other", "equal"), [("abc", True), ("abd", False), ("", False)])
def test_secrets_are_compared(other: str, equal: bool) -> None:  # noqa: FBT001
    assert equal == same("abc", other)


def test_secrets_of_any_letters_are_compared() -> None:
    assert not same("é" * 43, "e" * 43)


def test_the_same_request_has_the_same_code() -> None:
    assert table_code(b"secret", "request-1") == table_code(b"secret", "request-1")


def test_other_requests_and_other_secrets_have_other_codes() -> None:
    codes = {table_code(b"secret", f"request-{number}") for number in range(2000)}
    codes |= {table_code(f"secret-{number}".encode(), "request-1") for number in range(2000)}

    assert 4000 == len(codes)


def test_a_code_is_one_in_the_eyes_of_the_protocol() -> None:
    for number in range(1000):
        code = table_code(b"secret", str(number))

        assert code == TypeAdapter(Code).validate_python(code)


def test_every_letter_of_a_code_is_as_likely_as_the_others() -> None:
    letters = "".join(table_code(b"secret", str(number)) for number in range(20_000))
    mean = len(letters) / len(CODE_LETTERS)
    chi_square = sum((letters.count(letter) - mean) ** 2 / mean for letter in CODE_LETTERS)

    assert 30 == pytest.approx(chi_square, abs=31)  # 30 degrees of freedom, 4 sigma


def test_a_player_id_may_stand_wherever_an_id_may() -> None:
    names = {TypeAdapter(Id).validate_python(new_player_id()) for _ in range(1000)}

    assert 1000 == len(names)


@pytest.mark.parametrize("text", ["ABCDEFGH-1", "ABCDEFGH-12345", "a", "a" * 64])
def test_a_record_may_be_called(text: str) -> None:
    assert is_record_id(text)


@pytest.mark.parametrize(
    "text", ["", "-a", "a/b", "../a", "a.b", "a b", "a\n", "a%2f", "é", "a" * 65, "a}{b", "x:*"]
)
def test_a_record_may_not_be_called(text: str) -> None:
    assert not is_record_id(text)
