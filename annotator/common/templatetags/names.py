"""The names of labels, verdicts, roles and the like, as the screens show them; a builtin of all templates."""

from collections.abc import Iterable

from django import template
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from annotator.common import display_names
from annotator.common.display_names import label_title
from annotator.common.queues import TITLES

register = template.Library()


register.filter("label_title", label_title)


@register.filter
def label_set_title(name: str) -> str:
    if name.startswith("label:"):
        return label_title(name.removeprefix("label:"))
    return str(display_names.LABEL_SETS.get(name, name))


@register.filter
def verdict_title(name: str) -> str:
    return str(display_names.VERDICTS.get(name, name))


@register.filter
def reason_title(name: str) -> str:
    """Why a page is not an article."""
    return str(display_names.REASONS.get(name, name))


@register.filter
def source_title(name: str) -> str:
    """The source of gold."""
    return str(display_names.SOURCES.get(name, name))


@register.filter
def cause_title(name: str) -> str:
    return str(display_names.CAUSES[name])


@register.filter
def refusal_title(name: str) -> str:
    """Why a page could not be parsed."""
    return str(display_names.REFUSALS.get(name, _("Failed")))


@register.filter
def queue_title(name: str) -> str:
    return str(TITLES[name])


@register.filter
def problem_title(cause: str) -> str:
    """What is wrong with a record of an import; empty where nothing is."""
    return str(display_names.PROBLEMS.get(cause, ""))


@register.filter
def advice(cause: str) -> str:
    """What to do about a record that an import refused; empty where there is nothing to say."""
    return str(display_names.ADVICE.get(cause, ""))


@register.filter
def language_title(code: str) -> str:
    """The name of a language in that of the interface; its code where Django does not know it."""
    try:
        return str(get_language_info(code)["name_translated"]).capitalize()
    except KeyError:
        return code


@register.filter
def role_titles(roles: Iterable[str]) -> str:
    """The names of roles, in the order of the pipeline."""
    held = set(roles)
    return ", ".join(str(title) for role, title in display_names.ROLES.items() if role in held)
