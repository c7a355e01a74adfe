from __future__ import annotations

import pytest

from lpmm_core.base.records import Kind
from lpmm_core.extract.english.kinds import guess_kind
from lpmm_core.extract.english.words import english_words
from tests.extract.reading import english, extract, named, stated


def test_capital_sequences_are_names_and_single_letters_and_stop_words_are_not():
    """MT-12."""
    assert named("Later the Velmont Quorix signed with Ostra Vel in plan B.").keys() == {"Velmont Quorix", "Ostra Vel"}


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("Yesterday we met Zorvan.", "Zorvan", "person"),
        ("She works for Veltrix Ltd.", "Veltrix Ltd.", "organisation"),
        ("Harlow Bridge was closed.", "Harlow Bridge", "place"),
        ("They signed the Treaty of Galen.", "Treaty of Galen", "event"),
        ("Captain Rourke sold the ship.", "Rourke", "person"),
        ("The University of Leiden was founded in 1575.", "University of Leiden", "organisation"),
        ('Their song "Paper Rain" was a hit.', "Paper Rain", "work"),
    ],
)
def test_what_a_name_names_follows_from_the_words_in_and_around_it(text: str, name: str, kind: str):
    """MT-13."""
    assert named(text)[name] == kind


def test_titles_and_kinship_are_no_part_of_a_name():
    """MT-14."""
    assert named("Aunt Mary called Dr. Holt, and my aunt met Old Mr Pemberton.").keys() == {
        "Mary",
        "Holt",
        "aunt",
        "Pemberton",
    }
    assert "President" not in named("The President spoke to Senator Ruth Klein.")


def test_a_list_is_several_names_and_a_joined_name_is_one():
    assert {"Rome", "Paris", "Athens"} <= named("It flew to Rome, Paris and Athens.").keys()
    assert {"Department of Agriculture", "Ferdinand of Morava"} <= named(
        "Ferdinand of Morava visited the Department of Agriculture."
    ).keys()


def test_adjectives_of_nations_and_spans_of_time_are_no_names():
    assert named("The Swedish chemist worked there for three years and left last week.") == {}


def test_a_short_name_is_not_mentioned_beside_its_full_name():
    mentions = extract("Marie Curie was born in Warsaw. Curie moved to Paris.").mentions
    assert [m.name for m in mentions] == ["Marie Curie", "Warsaw", "Paris"]


def test_mentions_stand_where_they_say():
    """MT-21."""
    text = "Hello! Tim Cook of  Apple\nmet Anna Weber (CEO) in Berlin on 3 May 2001."
    assert all(text[m.start : m.end] == m.name for m in extract(text).mentions)
    assert len(extract(text).mentions) == 5


def test_the_title_is_a_name_where_it_occurs():
    assert named("In quill, loops are slow. Quill runs on Linux.", title="Quill (programming language)").keys() == {
        "Quill",
        "Linux",
    }


def test_a_document_teaches_the_names_it_repeats():
    terms = english().discover(["We saw Velmont Quorix there.", "Then Velmont Quorix left. He met Anna Lee."])
    assert terms == (("Velmont Quorix", Kind.ORGANISATION),)


def test_a_table_is_no_sentence():
    row = (
        "Film Year Title Role Notes Family Hiding Matt Peterson Drama Secrets Comfort House Bradley Movie Seventeen "
        "Kevin Janzen Battle Seattle Protester Every Second Counts Caden"
    )
    assert extract(row).triples == ()


def test_guessing_a_kind_from_nothing_guesses_nothing():
    words = english_words()
    assert guess_kind("", words) is None
    assert guess_kind("Quorix", words) is None
    assert guess_kind("Bank of England", words) is Kind.ORGANISATION
    assert guess_kind("Paris", words) is Kind.PLACE


def test_a_short_name_is_mentioned_where_only_the_title_has_the_full_one():
    assert named("The Rockets moved to Denver.", title="Houston Rockets") == {
        "Rockets": "organisation",
        "Denver": "place",
    }


def test_a_capital_that_is_no_english_word_is_a_name_where_a_sentence_begins():
    assert "Clausentum" in named("Clausentum was defended by a wall.")
    assert "Seismogram" not in named("Seismogram of the great earthquake.")


def test_a_listed_noun_that_opens_a_label_is_no_name():
    assert named("Ship's bell, cast in bronze.") == {}


def test_a_noble_name_keeps_its_land():
    names = named(
        "She is a child of Philip V of Morava, and of Archduke Karl Ludwig of Sorn; Senator Ruth Klein of Ohio left."
    )
    assert {"Karl Ludwig of Sorn", "Philip V of Morava", "Ruth Klein"} <= names.keys()


def test_a_title_between_commas_is_a_work_with_its_article():
    assert named("A novel about the battle, The Ford in Flood, won a prize.") == {"The Ford in Flood": "work"}


def test_kin_before_a_name_tells_a_person():
    assert named("He lived with his sister Agnes.")["Agnes"] == "person"


def test_a_document_teaches_single_names_that_it_writes_in_no_other_way():
    texts = [
        "They lived in Ostrey. The road to Ostrey was bad.",
        "In May we went to Ostrey. The Swedish guests liked it.",
    ]
    assert english().discover(texts) == (("Ostrey", Kind.PLACE),)


def test_a_nation_keeps_its_capital_where_a_sentence_begins():
    assert ("Norholm", "is", "Danish shipping group") in stated("Danish shipping group Norholm has closed.")


def test_an_office_with_its_land_is_no_term_of_a_document():
    assert english().discover(["The Duke of Kell left Kell.", "We met the Duke of Kell in Kell."]) == (
        ("Kell", Kind.PLACE),
    )
