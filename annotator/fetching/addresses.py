"""Which addresses may be asked at all, and which hosts may be connected to.

The rules on spelling turn away what people may read otherwise than programs do. They are not what keeps us
out of private networks: that is `check_host`, asked for each IP address right before it is connected to.
"""

import ipaddress
import re
from collections.abc import Collection

import httpx
from django.conf import settings
from django.utils.translation import gettext as _

from annotator.fetching.errors import BadAddress, ForbiddenAddress

MAX_LENGTH = 2_000
SCHEMES = {"http": 80, "https": 443}
PORTS = frozenset({80, 443, 8080, 8443})

_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?")
# In other spellings, programs read 0x7f.1, 0177.0.0.1 or 2130706433 as an IP address.
_NUMERIC = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)\.?")
_CONTROL = re.compile(r"[\x00-\x20\x7f\\]")
# What cannot be seen at the ends of an address that was copied from text from right to left, or from a word
# processor: marks of direction, spaces without width.
_SPACES = r"[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+"
_UNSEEN = re.compile(rf"\A{_SPACES}|{_SPACES}\Z")

# IPv4: what the IANA registry of special addresses lists, multicast, and the public address at which a cloud
# has its metadata.
_NOT_PUBLIC_4 = [
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
]
# IPv6: only what is handed out to networks of the public internet. That leaves out mapped and compatible
# IPv4, NAT64, unique local, link-local and multicast addresses at once; of the rest, Teredo and its
# neighbours, 6to4 and documentation hold other addresses, or none.
_PUBLIC_6 = ipaddress.IPv6Network("2000::/3")
_NOT_PUBLIC_6 = [
    ipaddress.IPv6Network(text)
    for text in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
]


def parse_address(text: str) -> httpx.URL:
    """Return the address without its fragment; no name is resolved yet.

    Raises BadAddress for what is never asked, ForbiddenAddress for an IP address that is not public.
    """
    text = _UNSEEN.sub("", text)
    if not text:
        raise BadAddress(_("the address is empty"))
    if len(text) > MAX_LENGTH:
        raise BadAddress(_("the address is longer than %(n)d characters") % {"n": MAX_LENGTH})
    if _CONTROL.search(text):
        raise BadAddress(_("the address holds a space, a backslash or a control character: write it without"))
    try:
        url = httpx.URL(text).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError) as error:
        raise BadAddress(_("the address cannot be read: %(error)s") % {"error": error}) from None
    _check_parts(url)
    return url


def join(base: httpx.URL, target: str) -> httpx.URL:
    """Return the address to which an answer of `base` redirects. Raises as `parse_address`."""
    target = target.strip()
    if _CONTROL.search(target):
        raise BadAddress("it redirects to an address with a space, a backslash or a control character")
    try:
        joined = base.join(target)
    except (httpx.InvalidURL, ValueError) as error:
        raise BadAddress(f"it redirects to an address that cannot be read: {error}") from None
    return parse_address(str(joined))


def _check_parts(url: httpx.URL) -> None:
    if url.scheme not in SCHEMES:
        raise BadAddress(_("only http and https are fetched: begin the address with https://"))
    if url.userinfo:
        raise BadAddress(_("the address holds a username or a password: write it without"))
    host = url.raw_host.decode("ascii").lower()
    if ":" not in host:
        _check_name(host)
    elif "%" in host:
        raise BadAddress(_("the address names an interface of this machine, after a percent sign"))
    port = port_of(url)
    if port not in PORTS and port not in settings.FETCH_LOOPBACK_PORTS:
        message = _("port %(port)d is not asked; only %(ports)s")
        raise BadAddress(message % {"port": port, "ports": ", ".join(map(str, sorted(PORTS)))})
    if ":" in host or _is_ipv4(host):
        check_host(host, port)


def _check_name(host: str) -> None:
    if not _HOST.fullmatch(host):
        named = _("“%(host)s” is no name of a host") % {"host": host}
        raise BadAddress(named if host else _("the address names no host"))
    if _NUMERIC.fullmatch(host.rstrip(".").rpartition(".")[2]) and not _is_ipv4(host):
        raise BadAddress(_("“%(host)s” is an IP address in an unusual spelling") % {"host": host})


def _is_ipv4(host: str) -> bool:
    try:
        return str(ipaddress.IPv4Address(host)) == host
    except ValueError:
        return False


def port_of(url: httpx.URL) -> int:
    """The port that the address leads to."""
    return SCHEMES[url.scheme] if url.port is None else url.port


def check_host(address: str, port: int) -> None:
    """Raise ForbiddenAddress unless the IP address, as the resolver gave it, is a public one.

    `FETCH_LOOPBACK_PORTS` alone opens loopback, for tests and their ports.
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        raise ForbiddenAddress(_("“%(host)s” is no IP address") % {"host": address}) from None
    if str(ip) in _LOOPBACK and port in settings.FETCH_LOOPBACK_PORTS:
        return
    if not _is_public(ip):
        raise ForbiddenAddress(
            _("it leads to %(ip)s, which is no address of the public internet") % {"ip": ip}
        )
    if _is_in(ip, settings.FETCH_FORBIDDEN_NETWORKS):
        raise ForbiddenAddress(_("it leads to %(ip)s, a network that this Goldpan must not ask") % {"ip": ip})


_LOOPBACK = frozenset({"127.0.0.1", "::1"})


def _is_public(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if isinstance(ip, ipaddress.IPv4Address):
        return not _is_in(ip, _NOT_PUBLIC_4)
    return ip in _PUBLIC_6 and ip.scope_id is None and not _is_in(ip, _NOT_PUBLIC_6)


def _is_in(
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address,
    networks: Collection[ipaddress.IPv4Network | ipaddress.IPv6Network],
) -> bool:
    return any(ip in network for network in networks if network.version == ip.version)
