"""`check_call`: the arguments of public functions and records."""

import pytest

from sightread.render.argument_checks import check_call
from sightread.render.errors import WrongCall


@check_call
def scale(size: float, *, factor: float = 1.0) -> float:
    return size * factor


@check_call
class Ruler:
    def __init__(self, length: float) -> None:
        self.length = length

    def measure(self, *things: str) -> int:
        return len(things)


def test_a_call_that_fits_returns_its_result():
    assert scale(2, factor=3) == 6
    assert Ruler(length=2).measure("desk", "door") == 2


def test_a_type_error_from_within_the_function_passes():
    with pytest.raises(TypeError, match="can't multiply") as caught:
        scale("two", factor=1.5)
    assert not isinstance(caught.value, WrongCall)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: scale(), "scale(): size is missing: call scale(size)"),
        (lambda: scale(1, 2), "scale() takes 1 argument by position (size), and got 2: give the others by name, such as factor="),
        (lambda: scale(1, facter=2), "scale() has no option facter; did you mean factor? There are size, factor"),
        (lambda: scale(1, size=2), "scale(): size is given twice, by position and by name: leave one of them out"),
        (lambda: Ruler(), "Ruler: length is missing: call Ruler(length)"),
        (lambda: Ruler(1).measure(thing="desk"), "Ruler.measure() has no option thing, and takes none: leave it out"),
    ],
)
def test_a_call_that_does_not_fit_is_refused_with_a_remedy(call, message):
    with pytest.raises(WrongCall) as caught:
        call()
    assert str(caught.value) == message
