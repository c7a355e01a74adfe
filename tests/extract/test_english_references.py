from __future__ import annotations

import pytest

from lpmm_core.base.names import why_not_a_name
from tests.extract.reading import extract, stated


def test_first_and_second_person_are_speaker_and_addressee():
    """C-35, MT-10."""
    assert ("Maya", "moved to", "Portland") in stated("I moved to Portland.", speaker="Maya")
    assert ("Leo", "is brother of", "Ken") in stated("My brother Leo lives here.", speaker="Ken")
    assert ("Ana", "liked", "Berlin") in stated("You liked Berlin.", speaker="Bot", addressee="Ana")


def test_without_a_speaker_nobody_is_named():
    assert stated("I moved to Portland and you stayed in Rome.") == set()


def test_the_speaker_of_a_quotation_is_not_the_speaker_of_the_message():
    assert ("Omar", "sold", "car") not in stated('"I sold the car," said Lena.', speaker="Omar")
    assert ("Lena", "sold", "car") in stated('"I sold the car," said Lena.', speaker="Omar")


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Maria Santos left Lisbon. She bought a farm.", ("Maria Santos", "bought", "farm")),
        ("Tom met Anna. She hired him.", ("Anna", "hired", "Tom")),
        ("Alice hated noise, but she loved her father.", ("Alice", "loved", "Alice's father")),
        ("Mina opened a letter. It was written by Falk.", ("letter", "was written by", "Falk")),
        ("Emma and Raj left Jaipur. They bought a boat.", ("Raj", "bought", "boat")),
        ("Marie Curie was born in Warsaw. Curie won a prize.", ("Marie Curie", "won", "prize")),
        ("Velo Nord is a company in Aarhus. The company sells bicycles.", ("Velo Nord", "sells", "bicycles")),
        (
            "Castle Ruane stands near Tolk. The castle was besieged by Robert.",
            ("Castle Ruane", "was besieged by", "Robert"),
        ),
        (
            "The National Basketball Association (NBA) grew. The NBA hired Tom.",
            ("National Basketball Association", "hired", "Tom"),
        ),
    ],
)
def test_pronouns_short_names_and_descriptions_stand_for_what_was_named(text: str, triple: tuple[str, str, str]):
    assert triple in stated(text)


def test_the_title_is_what_a_passage_speaks_of():
    assert ("Lake Orvel", "was formed by", "glacier") in stated("It was formed by a glacier.", title="Lake Orvel")
    assert ("Quill", "runs on", "Linux") in stated("The language runs on Linux.", title="Quill (programming language)")
    assert ("Hunt Valley", "lies along", "York Road") in stated(
        "Hunt Valley is a town. It lies along the York Road.", title="Hunt Valley, Maryland"
    )


def test_a_pronoun_that_stands_for_nothing_is_dropped():
    """C-25: pronouns never become names."""
    assert stated("She bought it from them. It rained on him.") == set()
    text = "He told her that they had it. Tom saw himself and everyone else. Who knows what this is?"
    assert all(why_not_a_name(end) is None for t in extract(text).triples for end in (t.subject, t.object))


def test_the_speakers_own_things_need_no_owner():
    """MT-14."""
    assert ("Petra", "left", "keys") in stated("I left my keys there.", speaker="Petra")


def test_a_general_noun_without_a_name_before_it_is_no_end():
    assert stated("The company publishes books.") == set()
