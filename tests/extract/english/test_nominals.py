from __future__ import annotations

import pytest

from tests.extract.reading import extract, stated


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Tim Cook, CEO of Apple, smiled.", ("Tim Cook", "is CEO of", "Apple")),
        ("Marie Curie, a physicist, smiled.", ("Marie Curie", "is a", "physicist")),
        ("Mary's brother John smiled.", ("John", "is brother of", "Mary")),
        ("The mayor, Ivan Petrov, smiled.", ("Ivan Petrov", "is", "mayor")),
        ("Sarah Kim from the maps team smiled.", ("Sarah Kim", "is from", "maps team")),
        (
            "Lena Marsk was born on 3 May 1702, the daughter of Otto Marsk.",
            ("Lena Marsk", "is daughter of", "Otto Marsk"),
        ),
        ("Piet Rooker married the botanist Elsa Quist, whom he had met on a train.", ("Elsa Quist", "is", "botanist")),
        ("She lives with her husband, the cellist Bruno Teles.", ("Bruno Teles", "is", "cellist")),
        ("They hid it from the priest's housekeeper, Odile, and left.", ("Odile", "is housekeeper of", "priest")),
        ("He moved to Aarhus, Denmark.", ("Aarhus", "is in", "Denmark")),
        ("We adopted a cat named Mochi.", ("Mochi", "is a", "cat")),
        (
            "Tom joined the National Basketball Association (NBA).",
            ("National Basketball Association", "also known as", "NBA"),
        ),
    ],
)
def test_what_stands_beside_a_name_says_what_it_is(text: str, triple: tuple[str, str, str]):
    assert triple in stated(text)


def test_a_role_before_a_name_is_a_fact_and_a_title_is_not():
    """MT-20."""
    assert ("Priya Nair", "is", "engineer") in stated("They hired engineer Priya Nair.")
    assert ("Claire Dubois", "is", "president") in stated("The visit of president Claire Dubois ended.")
    assert not any(p == "is" for _, p, _ in stated("Lord Ashby and Dr. Holt met Aunt Mary."))


def test_birth_and_death_in_brackets():
    assert {
        ("Marta Lindqvist", "was born on", "12 March 1911"),
        ("Marta Lindqvist", "died in", "May 1987"),
    } <= stated("Marta Lindqvist (12 March 1911 – May 1987) was a chemist.")


def test_who_met_a_person_and_received_a_thing_may_have_it_from_them():
    """MT-19: inferred, so below what is stated."""
    triples = extract("I met my aunt and received a crystal chandelier.", speaker="user").triples
    assert [(t.subject, t.predicate, t.object, t.confidence) for t in triples] == [
        ("user", "met", "aunt", 0.75),
        ("user", "received", "crystal chandelier", 0.75),
        ("crystal chandelier", "from", "aunt", 0.6),
    ]
    assert {t.confidence for t in extract("I met my aunt and saw a chandelier.", speaker="user").triples} == {0.75}


def test_a_relation_goes_to_who_stands_nearest():
    text = "Ottilie was a daughter of Archduke Karl of Morava and his third wife, Infanta Elvira of Sorn."
    assert ("Elvira of Sorn", "is third wife of", "Karl of Morava") in stated(text, title="Ottilie of Morava")
    text = "He was the oldest son of Otto Marsk by his wife Scholastika."
    assert ("Scholastika", "is wife of", "Otto Marsk") in stated(text, title="Balthasar Marsk")


def test_kin_without_whose_is_no_fact():
    assert not any(
        o == "brother" for _, _, o in stated("It was founded by the brothers Nils Thorsen and Aksel Thorsen.")
    )


def test_what_is_joined_to_one_is_not_said_of_the_other():
    told = stated("The film is about a private agent (Ray Gosling) and a tough nurse (Ada Crowe) who meet.")
    assert ("Ray Gosling", "is a", "tough nurse") not in told
