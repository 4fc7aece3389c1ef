"""What is rendered once for everybody holds nothing of anybody."""

from django.template import Context, Template
from django.utils.translation import override

from annotator.common.templatetags import kept


def test_a_part_sees_only_what_its_tag_names() -> None:
    part = Template(
        "{% kept shared=corpus %}{{ shared }}:{{ user }}:{{ csrf_token }}{% endkept %}, {{ user }}"
    )
    assert part.render(Context({"corpus": "dailies", "user": "ada", "csrf_token": "t"})) == "dailies::, ada"


def test_a_part_is_rendered_once_for_each_language_and_value() -> None:
    rendered = []

    class Counted:
        def __str__(self) -> str:
            rendered.append(1)
            return "shown"

    part = Template(
        "{% load i18n %}{% kept one=one number=number %}"
        "{{ one }} {{ number }} {% translate 'Home' %}{% endkept %}"
    )
    one = Counted()
    for number, language, home in ((1, "en", "Home"), (1, "es", "Inicio"), (2, "en", "Home")) * 2:
        with override(language):
            assert part.render(Context({"one": one, "number": number})) == f"shown {number} {home}"
    assert len(rendered) == 3


def test_what_is_kept_is_bounded() -> None:
    part = Template("{% kept n=n %}{{ n }}{% endkept %}")
    for n in range(3 * kept.AT_MOST):
        assert part.render(Context({"n": n})) == str(n)
    (node,) = part.nodelist
    assert len(node._kept) <= kept.AT_MOST
