"""The chart of an annotator's day."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.annotations.models import Annotation
from annotator.corpora.models import Corpus
from annotator.home.columns import BASE, TALLEST, WIDTH
from annotator.home.hours import MIN_HOURS, bars_of, today_of
from tests.factories import MakePage, annotate


def at(hour: int, minute: int = 0) -> datetime:
    """A moment of a day in the zone in which days are counted."""
    return datetime(2026, 11, 20, hour, minute, tzinfo=timezone.get_current_timezone()).astimezone(UTC)


def test_page_counts_in_the_hour_of_its_submission() -> None:
    bars = list(bars_of([(at(8, 5), 60), (at(8, 59), 30), (at(10), 120)]))
    assert [(bar.hour, bar.pages, bar.seconds) for bar in bars[:3]] == [(8, 2, 90), (9, 0, 0), (10, 1, 120)]
    assert len(bars) == MIN_HOURS


def test_bars_stand_on_one_line_and_the_fullest_hour_is_the_tallest() -> None:
    bars = list(bars_of([(at(8), 1), (at(9), 1), (at(9), 1)]))
    assert {round(bar.column.y + bar.column.height, 1) for bar in bars} == {BASE}
    assert [bar.column.height for bar in bars[:3]] == [TALLEST / 2, TALLEST, 1]


@pytest.mark.parametrize(
    ("hours", "shown"),
    [([23], range(16, 24)), ([0], range(8)), ([0, 23], range(24)), ([8, 20], range(8, 21))],
)
def test_a_late_hour_and_a_long_day_find_room(hours: list[int], shown: range) -> None:
    bars = list(bars_of((at(hour), 1) for hour in hours))
    assert [bar.hour for bar in bars] == list(shown)
    assert bars[0].column.x == 0
    assert bars[-1].column.x + bars[-1].column.width <= WIDTH
    assert all(after.column.x > bar.column.x + bar.column.width for bar, after in pairwise(bars))


def test_names_of_a_long_day_do_not_touch() -> None:
    bars = [bar for bar in bars_of([(at(0), 1), (at(23), 1)]) if bar.is_labelled]
    assert min(after.column.middle - bar.column.middle for bar, after in pairwise(bars)) > 20


def test_day_without_submissions_has_no_bars() -> None:
    assert list(bars_of([])) == []


@pytest.mark.django_db
def test_today_and_the_week_count_submissions(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, active_seconds=90)
    annotate(page, cast.ben, active_seconds=7)
    now = Annotation.objects.get(annotator=cast.ada).submitted_at
    days = [today_of(cast.ada, corpus, now + timedelta(days=days)) for days in (0, 1, 6, 7)]
    assert [(day.pages, day.active_seconds, day.week_seconds) for day in days] == [
        (1, 90, 90),
        (0, 0, 90),
        (0, 0, 90),
        (0, 0, 0),
    ]


@pytest.mark.django_db
@pytest.mark.usefixtures("at_noon")
def test_home_draws_the_hours_and_describes_them(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    client.force_login(cast.ada)
    assert 'class="hours"' not in client.get(reverse("home")).content.decode()
    annotate(make_page(), cast.ada, active_seconds=125)
    html = client.get(reverse("home")).content.decode()
    assert re.search(r'aria-label="Pages per hour: \d+ to \d+, 1 page, 2 min"', " ".join(html.split()))
    assert html.count("<rect x=") >= MIN_HOURS
    client.cookies["django_language"] = "es"
    spoken = " ".join(client.get(reverse("home")).content.decode().split())
    assert re.search(
        r'aria-label="Páginas por hora: de \d+ a \d+, 1 página, 2 min"', " ".join(spoken.split())
    )
    assert "," not in "".join(re.findall(r'<rect x="([^"]*)"', spoken)), "a view box knows no decimal comma"
