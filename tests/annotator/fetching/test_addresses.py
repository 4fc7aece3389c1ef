"""Which hosts are public, and what parts of an address are kept."""

import ipaddress

import pytest
from django.conf import LazySettings

from annotator.fetching.addresses import MAX_LENGTH, check_host, join, parse_address
from annotator.fetching.errors import BadAddress, ForbiddenAddress


@pytest.mark.parametrize("address", ["93.184.215.14", "1.1.1.1", "2606:2800:220:1:248:1893:25c8:1946"])
def test_public_addresses_may_be_asked(address: str) -> None:
    check_host(address, 443)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_loopback_is_opened_by_the_test_setting_alone_and_for_its_ports(
    address: str, settings: LazySettings
) -> None:
    with pytest.raises(ForbiddenAddress):
        check_host(address, 8001)
    settings.FETCH_LOOPBACK_PORTS = frozenset({8001})
    check_host(address, 8001)
    for elsewhere, port in (
        (address, 8002),
        ("127.0.0.2", 8001),
        ("::ffff:127.0.0.1", 8001),
        ("10.0.0.1", 8001),
    ):
        with pytest.raises(ForbiddenAddress):
            check_host(elsewhere, port)


def test_networks_of_ones_own_are_left_out_by_a_setting(settings: LazySettings) -> None:
    settings.FETCH_FORBIDDEN_NETWORKS = [ipaddress.ip_network("93.184.0.0/16")]
    check_host("93.185.0.1", 443)
    with pytest.raises(ForbiddenAddress, match="must not ask"):
        check_host("93.184.215.14", 443)


def test_what_python_takes_for_special_is_not_public_here_either() -> None:
    """Two lists of special networks, ours and Python's: nothing that Python holds for special is asked."""
    for first in range(256):
        for second in range(0, 256, 4):
            address = ipaddress.IPv4Address(f"{first}.{second}.0.1")
            if address.is_global and not address.is_multicast:
                continue
            with pytest.raises(ForbiddenAddress):
                check_host(str(address), 443)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  https://Example.org/a b?q=1#part ", None),
        ("  https://Example.org/a?q=1#part ", "https://example.org/a?q=1"),
        # As it comes from the clipboard, in text from right to left.
        ("\u200f\u202ahttps://example.org/a\u202c\u200e\n", "https://example.org/a"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://example.org:8080", "http://example.org:8080"),
        ("http://example.org./a", "http://example.org./a"),
        ("", None),
        ("example.org/a", None),
        ("http://example.org/" + "a" * MAX_LENGTH, None),
    ],
)
def test_addresses_are_kept_without_their_fragment(given: str, kept: str | None) -> None:
    if kept is None:
        with pytest.raises(BadAddress):
            parse_address(given)
    else:
        assert str(parse_address(given)).rstrip("/") == kept.rstrip("/")


def test_redirects_are_relative_to_the_address_that_redirects() -> None:
    base = parse_address("https://example.org/a/b")
    assert str(join(base, "c?d")) == "https://example.org/a/c?d"
    assert str(join(base, "//example.com/")) == "https://example.com/"
    assert str(join(base, "?page=2#top")) == "https://example.org/a/b?page=2"
