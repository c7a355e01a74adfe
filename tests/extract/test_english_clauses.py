from __future__ import annotations

import pytest

from tests.extract.reading import extract, stated


def test_subject_verb_object_with_joined_subjects_verbs_and_objects():
    """MT-18."""
    assert stated("Plants absorb carbon dioxide and release oxygen.") == {
        ("plants", "absorb", "carbon dioxide"),
        ("plants", "release", "oxygen"),
    }
    assert {("Anna", "owned", "vineyards"), ("Tom", "owned", "theatre")} <= stated(
        "Anna and Tom owned vineyards and a theatre."
    )
    assert {t.confidence for t in extract("Marcus poured the wine.").triples} == {0.75}


def test_a_passive_keeps_its_direction():
    assert {
        ("Apple", "was founded by", "Steve Jobs"),
        ("Apple", "was founded in", "1976"),
    } <= stated("Apple was founded by Steve Jobs in 1976.")


def test_prepositions_and_particles_are_part_of_the_predicate():
    """MT-16."""
    assert ("Priya Nair", "worked at", "NASA") in stated("Priya Nair worked at NASA.")
    assert ("Leo", "lives in", "Denver") in stated("Leo lives in Denver.")
    assert ("Martin Doyle", "took over from", "Fiona Gray") in stated("Martin Doyle took over from Fiona Gray.")
    assert {("Zoe", "switched from", "Spotify"), ("Zoe", "switched to", "Tidal")} <= stated(
        "I switched from Spotify to Tidal.", speaker="Zoe"
    )


def test_what_hangs_on_an_object_is_told_with_it():
    assert {
        ("Marie Curie", "won", "Nobel Prize"),
        ("Marie Curie", "won Nobel Prize in", "1903"),
    } <= stated("Marie Curie won the Nobel Prize in 1903.")
    assert ("Anna", "joined board of", "Apple") in stated("Anna joined the board of Apple.")
    assert ("Elise", "worked at bakery in", "Lyon") in stated("Elise worked at a bakery in Lyon.")


def test_who_was_given_what_by_whom():
    assert {("Clara", "gave", "old book"), ("Clara", "gave old book to", "Tobias")} <= stated(
        "Clara gave Tobias an old book."
    )


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Karim Benali is a Moroccan footballer.", ("Karim Benali", "is a", "Moroccan footballer")),
        ("Berlin is the capital of Germany.", ("Berlin", "is the capital of", "Germany")),
        ("The capital of Germany is Berlin.", ("Berlin", "is capital of", "Germany")),
        ("Vesterholm is the capital and largest city of Ardane.", ("Vesterholm", "is the largest city of", "Ardane")),
        ("Anjali is allergic to peanuts.", ("Anjali", "is allergic to", "peanuts")),
        ("Mr. Braga is from Recife.", ("Braga", "is from", "Recife")),
        ("There is a railway museum in Pinegate.", ("railway museum", "is in", "Pinegate")),
        ("Ivan Rogers became mayor of Leeds.", ("Ivan Rogers", "became mayor of", "Leeds")),
        ("The boy's name was Tam.", ("Tam", "is a", "boy")),
    ],
)
def test_what_something_is(text: str, triple: tuple[str, str, str]):
    assert triple in stated(text)


def test_its_things_speak_for_their_owner():
    text = "Norwick Press is a publisher. Its headquarters are on Leith Street. Its founder was Alan Reid."
    assert {
        ("Norwick Press", "headquarters are on", "Leith Street"),
        ("Alan Reid", "was founder of", "Norwick Press"),
    } <= stated(text, title="Norwick Press")


def test_relative_clauses_and_participles_speak_of_their_noun():
    assert ("Ruth Klein", "wrote", "bill") in stated("Ruth Klein, who wrote the bill, blamed them.")
    assert ("Harlow Bridge", "designed by", "Edith Marlowe") in stated(
        "Harlow Bridge is a bridge designed by Edith Marlowe."
    )
    assert ("Arno Keller", "directed", "Alpine Observatory") in stated(
        "He founded the Alpine Observatory, which Arno Keller directed."
    )
    led = stated("Tang is a dissident from Hunan who led student protests.")
    assert ("Tang", "led", "student protests") in led


def test_open_complements_are_one_predicate():
    assert ("Hugo", "want to join", "navy") in stated("I want to join the navy.", speaker="Hugo")


def test_denials_are_negated_and_keep_their_predicate():
    """MT-25: what is denied must not be lost."""
    assert ("Bale", "not trust", "Corvin") in stated("Sergeant Bale did not trust Corvin.")
    assert ("Dana", "not live in", "Austin") in stated("I no longer live in Austin.", speaker="Dana")
    assert ("Helena", "not liked", "house") in stated('"I never liked this house," said Helena.')
    assert ("Keller", "not has", "children") in stated("Keller has no children.")


@pytest.mark.parametrize(
    "text",
    [
        "Did Anna buy the house?",
        "Tom will leave if Anna buys the house.",
        "Tom denied that Anna bought the house.",
        "I suggest that Anna buys the house.",
    ],
)
def test_what_is_asked_supposed_denied_or_advised_is_no_fact(text: str):
    assert not any("house" in o for _, _, o in stated(text))


def test_advice_to_you_is_no_fact_about_you():
    """C-35."""
    assert stated("You should visit Berlin. You can learn Portuguese.", speaker="Bot", addressee="Ana") == set()


def test_what_is_said_is_stated():
    assert ("Greyline Motors", "would close", "plant") in stated(
        "Greyline Motors said on Friday that it would close its plant."
    )


def test_known_mistakes_of_the_parser_are_put_right():
    assert {("Anna", "owned", "theatre"), ("Tom", "owned", "theatre")} <= stated("Anna and Tom owned a theatre.")
    assert {
        ("Copper Moths", "were formed by", "Alma Shaw"),
        ("Alma Shaw", "is", "guitarist"),
    } <= stated("The Copper Moths were formed by singer Ray Dunne and guitarist Alma Shaw.")
    assert ("Lake Orvel", "was formed by", "glacier") in stated("Lake Orvel was formed by a glacier.")
