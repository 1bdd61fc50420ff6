"""Places: canonical form, what covers what, words."""

from __future__ import annotations

from inroads.lower.model import Each, Element, Field, Gather, Length, Part, Place, Root, Step, Turn
from inroads.lower.places import compare, describe, extend, is_within, rebase, strip_field

XS = Root("parameter", 0, "xs")


def place(*steps: Step, root: Root = XS) -> Place:
    """A place by its steps, in canonical form."""
    found = Place(root)
    for step in steps:
        found = extend(found, step)
    return found


def test_gathering_the_elements_gives_the_collection_back() -> None:
    assert place(Each(), Gather()) == place()
    assert place(Gather(), Each()) == place()


def test_an_element_of_a_gathered_collection_is_that_of_the_first() -> None:
    assert place(Each(), Field("id"), Gather(), Element("0")) == place(Element("0"), Field("id"))
    assert place(Each(), Field("id"), Gather(), Turn(4)) == place(Turn(4), Field("id"))


def test_the_one_element_of_a_literal_is_what_was_put_in() -> None:
    assert place(Field("id"), Gather(), Element("0")) == place(Field("id"))


def test_a_whole_covers_its_elements_and_parts_and_never_the_reverse() -> None:
    whole = place(Each(), Field("id"))
    assert compare(whole, place(Turn(3), Field("id"))) == "same"
    assert compare(whole, place(Element("0"), Field("id"))) == "same"
    assert compare(whole, place(Part(7), Each(), Field("id"))) == "same"
    assert compare(place(Part(7), Each(), Field("id")), whole) == "unclear"
    assert compare(place(Turn(3), Field("id")), whole) == "unclear"


def test_two_literal_indices_are_different_elements() -> None:
    assert compare(place(Element("0")), place(Element("1"))) == "other"
    assert compare(place(Element("0")), place(Element("0"))) == "same"
    assert compare(place(Element("0")), place(Element(place(root=Root("local", 3, "n"))))) == "unclear"


def test_another_field_or_root_is_another_place() -> None:
    assert compare(place(Field("id")), place(Field("name"))) == "other"
    assert compare(place(Field("id")), place(Field("id", "", 2))) == "other"
    assert compare(place(), place(root=Root("parameter", 1, "ys"))) == "other"


def test_names_and_types_do_not_tell_places_apart() -> None:
    one = place(Field("id", "", 0, "app::Item"), root=Root("self", 0, "self", type="app::Store"))
    two = place(Field("id"), root=Root("self", 0, "me"))
    assert one == two
    assert hash(one) == hash(two)
    assert (one != two) is False


def test_a_field_is_stripped_where_the_place_ends_in_it() -> None:
    assert strip_field(place(Field("seq"), Field("id")), "id") == place(Field("seq"))
    assert strip_field(place(Field("seq")), "id") is None


def test_a_callees_place_is_rebased_on_the_argument() -> None:
    argument = place(Each(), Field("id"), Gather())
    assert rebase(place(Each()), argument) == place(Each(), Field("id"))


def test_a_place_is_within_another_by_its_steps_and_by_its_index() -> None:
    key = place(root=Root("local", 1, "key"))
    assert is_within(place(Field("a"), Field("b")), place(Field("a")))
    assert is_within(place(Element(key)), key)
    assert not is_within(place(Field("a")), place(Field("b")))


def test_a_place_is_told_as_a_person_would_write_it() -> None:
    assert describe(place(Each(), Field("id"))) == "each(xs).id"
    assert describe(place(Field("items"), Element("0"))) == "xs.items[0]"
    assert describe(place(Length())) == "xs.len()"
    assert describe(Place(Root("result", 4, "load()"))) == "the result of `load`"
    assert describe(Place(Root("result", 4, "draft"))) == "draft"
    assert describe(Place(Root("static", 0, "COUNT", "app::COUNT"))) == "COUNT"
