"""`Fetcher.fetch` asks for one address and follows its redirects, checking each.

    fetched = Fetcher().fetch("https://example.org/news", accept=PAGE_TYPES)
    fetched.body, fetched.charset, fetched.url

What comes back is what the site sent, compression undone, or a FetchError that says why there is nothing.
"""

import re
import ssl
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime

import httpx
from django.conf import settings
from django.utils import timezone

from annotator import __version__
from annotator.common.errors import GoldpanError
from annotator.common.sites import site_of
from annotator.fetching import pace, robots, transport
from annotator.fetching.addresses import join, parse_address
from annotator.fetching.decoding import ACCEPTED, decoded
from annotator.fetching.errors import (
    BadAnswer,
    ForbiddenByRobots,
    NotAnswered,
    NotThere,
    ResponseTooLarge,
    SiteBusy,
    WrongType,
)
from annotator.fetching.limits import PAGE_TYPES, FetchBudget, FetchLimits

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NOT_NOW = frozenset({408, 425, 429})
_NOT_MODIFIED = 304
_OK = frozenset({200, 203})
# A charset is a name of letters; longer ones are none, and would not fit beside the page.
_CHARSET = re.compile(r"[A-Za-z0-9_.:+-]{1,40}")
_VALIDATOR = re.compile(r"[\x21-\x7e ]{1,200}")


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """What a site sent for an address. `body` is as sent, compression undone; empty where nothing changed."""

    # After redirects.
    url: str
    status: int
    body: bytes
    # Lower case, without parameters; empty where the site named none.
    media_type: str
    # As the header declares it; empty where it does not.
    charset: str
    fetched_at: datetime
    # To ask again only for what has changed; empty where the site sent none.
    etag: str = ""
    last_modified: str = ""

    @property
    def not_modified(self) -> bool:
        return self.status == _NOT_MODIFIED


def user_agent() -> str:
    """Who asks: our name and version, and whom to write to. Raises GoldpanError where nobody is named.

    Only in production must somebody be named.
    """
    contact = settings.FETCH_CONTACT
    if not contact and settings.PRODUCTION:
        raise GoldpanError(
            "Goldpan asks no site without saying whom it may write to: set GOLDPAN_CONTACT to an email "
            "address or a web page, and start again."
        )
    return (
        f"{robots.NAME}/{__version__} ({f'+{contact}' if contact else 'collects news pages for annotation'})"
    )


@dataclass(frozen=True, kw_only=True)
class Fetcher:
    """How to fetch: the limits, and in tests another resolver and other certificates."""

    limits: FetchLimits = field(default_factory=FetchLimits)
    resolve: transport.Resolve = transport.resolve
    tls: ssl.SSLContext | None = None
    # Seconds for which our turn at a site is waited for, before SiteBusy.
    patience: float = 40
    # Whether robots.txt is asked. Only for what an admin asked for as a part of a page that was fetched.
    obey_robots: bool = True

    def fetch(
        self,
        url: str,
        *,
        accept: Collection[str] = PAGE_TYPES,
        etag: str = "",
        last_modified: str = "",
    ) -> Fetched:
        """Fetch an address, following redirects. `accept` are media types; "image/" is all that begin so.

        With an `etag` or a `last_modified` of before, a site that has nothing new says so: `not_modified`.
        Raises FetchError: Refused for good, NotAnswered for now; OSError for faults of our own machine.
        """
        headers = {"if-none-match": etag, "if-modified-since": last_modified}
        headers = {name: value for name, value in headers.items() if _VALIDATOR.fullmatch(value)}
        budget = FetchBudget(self.limits)
        address = parse_address(url)
        for _hop in range(self.limits.redirects + 1):
            rules = self._rules(address) if self.obey_robots else None
            if rules and not rules.allow(str(address)):
                raise ForbiddenByRobots("the site's robots.txt asks programs not to fetch this address")
            answer = self._ask(
                address, budget, accept=accept, headers=headers, pause=rules.pause if rules else 0
            )
            if answer.redirect is None:
                return _fetched(address, answer)
            address = join(address, answer.redirect)
        raise BadAnswer(f"it redirects more than {self.limits.redirects} times")

    def _rules(self, address: httpx.URL) -> robots.RobotsRules:
        """The robots.txt of the address's host, kept for a day."""
        origin = f"{address.scheme}://{address.netloc.decode('ascii')}"
        text = robots.kept(origin)
        if text is None:
            text = self._read_robots(f"{origin}/robots.txt")
            robots.keep(origin, text)
        return robots.parse(text)

    def _read_robots(self, url: str) -> str:
        """The text of a robots.txt; empty where there is none. Raises FetchError where that is not known."""
        budget = FetchBudget(self.limits)
        address = parse_address(url)
        for _hop in range(self.limits.redirects + 1):
            try:
                answer = self._ask(address, budget, accept=("",), most=robots.MAX_BYTES)
            except NotThere:
                return ""
            except SiteBusy:
                raise
            except NotAnswered as error:
                message = f"the site's robots.txt could not be read: {error.message}"
                raise NotAnswered(message, retry_after=error.retry_after) from error
            if answer.redirect is None:
                return answer.body.decode("utf-8-sig", "replace").replace("\0", "")
            address = join(address, answer.redirect)
        return ""

    def _ask(
        self,
        address: httpx.URL,
        budget: FetchBudget,
        *,
        accept: Collection[str],
        headers: dict[str, str] | None = None,
        pause: float = 0,
        most: int | None = None,
    ) -> "_Answer":
        """Send one request in our turn. With `most`, the body is cut after so many bytes."""
        site = site_of(str(address))
        request = httpx.Request("GET", address, headers=_headers(accept) | (headers or {}))
        checked = transport.CheckedTransport(budget, resolve=self.resolve, tls=self.tls or transport.tls())
        turn = pace.turn(
            site,
            pause=max(pause, settings.FETCH_PAUSE_SECONDS),
            patience=self.patience,
            longest=self.limits.total_seconds + self.limits.connect_seconds,
        )
        with turn, budget.spending(), closing(checked), closing(checked.handle_request(request)) as response:
            _check_headers(response, self.limits)
            try:
                limit = self.limits.body_bytes if most is None else most
                return _read(
                    response, accept=accept, limit=limit, cut=most is not None, conditional=bool(headers)
                )
            except NotAnswered as error:
                if error.retry_after:
                    pace.put_off(site, error.retry_after)
                raise


@dataclass(frozen=True, kw_only=True)
class _Answer:
    """One answer, read to its end: either where it redirects, or its body."""

    response: httpx.Response
    redirect: str | None = None
    body: bytes = b""
    media_type: str = ""
    charset: str = ""


def _headers(accept: Collection[str]) -> dict[str, str]:
    types = [f"{type_}*" if type_.endswith("/") else type_ for type_ in sorted(accept) if type_]
    return {
        "user-agent": user_agent(),
        "accept": ", ".join(types) or "*/*",
        "accept-encoding": ACCEPTED,
        "connection": "close",
    }


def _check_headers(response: httpx.Response, limits: FetchLimits) -> None:
    size = sum(len(name) + len(value) + 4 for name, value in response.headers.raw)
    if size > limits.header_bytes:
        raise ResponseTooLarge(
            f"the headers of its answer have {size:,} bytes, more than {limits.header_bytes:,}"
        )


def _read(
    response: httpx.Response, *, accept: Collection[str], limit: int, cut: bool, conditional: bool
) -> _Answer:
    status = response.status_code
    if status in _REDIRECTS:
        target = response.headers.get("location")
        if target is None:
            raise BadAnswer(f"it redirects (status {status}) without saying where to")
        return _Answer(response=response, redirect=target)
    if status == _NOT_MODIFIED and conditional:
        return _Answer(response=response)
    _check_status(response)
    media_type, charset = content_type(response.headers.get("content-type", ""))
    if media_type and not _is_accepted(media_type, accept):
        raise WrongType(f"it is {media_type[:60]}, not {' or '.join(sorted(filter(None, accept)))}")
    encoding = response.headers.get("content-encoding", "")
    body = decoded(response.iter_raw(), encoding=encoding, limit=limit, cut=cut)
    return _Answer(response=response, body=body, media_type=media_type, charset=charset)


def _check_status(response: httpx.Response) -> None:
    """Raise FetchError for a status that brings no body of the address."""
    status = response.status_code
    if status in _OK:
        return
    if status in _NOT_NOW or status >= 500:
        wait = _retry_after(response.headers.get("retry-after", ""))
        raise NotAnswered(f"the site answered with status {status}", retry_after=wait)
    if status >= 400:
        raise NotThere(f"the site answered with status {status}: open the address in a browser to see why")
    raise BadAnswer(f"the site answered with status {status}, which brings no page")


def _retry_after(value: str) -> float | None:
    """Seconds that the header asks to wait, as a number or as a date; None where it says nothing readable."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        wait = (parsedate_to_datetime(value) - timezone.now()).total_seconds()
    except (TypeError, ValueError):
        return None
    return max(wait, 0.0)


def content_type(header: str) -> tuple[str, str]:
    """The media type, in lower case, and the charset of a Content-Type header; empty if there is none."""
    message = Message()
    message["content-type"] = header[:300]
    charset = message.get_param("charset", "")
    name = charset if isinstance(charset, str) else ""
    media_type = header.partition(";")[0].strip().lower()
    return media_type, name.strip() if _CHARSET.fullmatch(name.strip()) else ""


def _is_accepted(media_type: str, accept: Collection[str]) -> bool:
    return any(
        media_type.startswith(type_) if type_.endswith("/") else type_ in ("", media_type) for type_ in accept
    )


def _fetched(address: httpx.URL, answer: _Answer) -> Fetched:
    headers = answer.response.headers
    return Fetched(
        url=str(address),
        status=answer.response.status_code,
        body=answer.body,
        media_type=answer.media_type,
        charset=answer.charset,
        fetched_at=datetime.now(UTC),
        etag=_validator(headers.get("etag", "")),
        last_modified=_validator(headers.get("last-modified", "")),
    )


def _validator(value: str) -> str:
    """A header that can be sent back as it came, or nothing."""
    return value if _VALIDATOR.fullmatch(value) else ""
