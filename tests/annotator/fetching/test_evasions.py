"""What a site, a name or an address can try in order to reach what is not public: refused, with a reason.

Each address is tried as it is and as the target of a redirect. The listener at its port counts connections.
"""

import gzip
import os
import socket
import threading
import time
import zlib
from dataclasses import replace

import brotli
import pytest

from annotator.fetching import transport
from annotator.fetching.client import Fetcher
from annotator.fetching.errors import (
    BadAddress,
    BadAnswer,
    FetchError,
    ForbiddenAddress,
    NotAnswered,
    ResponseTooLarge,
    WrongType,
)
from annotator.fetching.transport import SITE_LOOKUPS, resolve
from tests.annotator.fetching.conftest import IMPATIENT, SMALL, to_this_machine
from tests.annotator.fetching.sites import PATIENCE, Answer, Listener, Site, listener, redirect, response

# {port} is that of the forbidden listener.
FORBIDDEN_HOSTS = """
    http://127.0.0.1:{port}/            http://127.0.0.2:{port}/             http://127.255.255.254:{port}/
    http://0.0.0.0:{port}/              http://[::1]:{port}/                 http://[::]:{port}/
    http://[::ffff:127.0.0.1]:{port}/   http://[::ffff:7f00:1]:{port}/       http://[::127.0.0.1]:{port}/
    http://[::ffff:0:127.0.0.1]:{port}/ http://[64:ff9b::127.0.0.1]:{port}/  http://[64:ff9b:1::7f00:1]:{port}/
    http://[2002:7f00:1::]:{port}/      http://[2001:0:7f00:1::1]:{port}/    http://[2001:db8::1]:{port}/
    http://[fe80::1]:{port}/            http://[fd00::1]:{port}/             http://[fc00:ec2::254]:{port}/
    http://[ff02::1]:{port}/            http://[100::1]:{port}/              http://10.0.0.1:{port}/
    http://172.16.0.1:{port}/           http://172.31.255.255:{port}/        http://192.168.0.1:{port}/
    http://169.254.169.254:{port}/      http://100.64.0.1:{port}/            http://100.100.100.200:{port}/
    http://168.63.129.16:{port}/        http://192.0.0.192:{port}/           http://198.18.0.1:{port}/
    http://224.0.0.1:{port}/            http://255.255.255.255:{port}/       http://localhost:{port}/
    http://LOCALHOST:{port}/            http://localhost.:{port}/            http://127\u30020\u30020\uff0e1:{port}/
    https://127.0.0.1:{port}/           http://[0:0:0:0:0:0:0:1]:{port}/
""".split()
FORBIDDEN_SPELLINGS = """
    http://127.1:{port}/                http://0:{port}/                     http://2130706433:{port}/
    http://0x7f000001:{port}/           http://0x7f.0.0.1:{port}/            http://0177.0.0.1:{port}/
    http://017700000001:{port}/         http://127.0.0.1.:{port}/            http://0x7F.1:{port}/
    http://127.0x0.1:{port}/            http://256.256.256.256:{port}/       http://[fe80::1%25lo]:{port}/
    http://\u2460\u2461\u2466.0.0.1:{port}/ http://\uff11\uff12\uff17.0.0.1:{port}/ http://loc\u00adalhost:{port}/
    http://ada@127.0.0.1:{port}/        http://good.test@127.0.0.1:{port}/   http://ada:pw@good.test/
    http://127.0.0.1:{port}\\@good.test/ http://good.test\\.127.0.0.1:{port}/ \\\\127.0.0.1:{port}/
    http://127.0.0.1:{port}%2f@good.test/ http://127.0.0.1%00.good.test:{port}/ http://127.0.0.1%2egood.test/
    http://%31%32%37.0.0.1:{port}/      http:///127.0.0.1:{port}/            http:127.0.0.1:{port}/
    http://good.test:6379/              http://good.test:22/                 http://good.test:0/
    http://good.test:99999/             http://good.test:-1/                 http://[::1/
    file:///etc/passwd                  file://127.0.0.1/etc/passwd          ftp://127.0.0.1:{port}/
    gopher://127.0.0.1:{port}/_GET      dict://127.0.0.1:{port}/info         ldap://127.0.0.1:{port}/
    data:text/html,<p>hello             javascript:fetch('/')                jar:http://127.0.0.1:{port}/!/
    about:blank                         ws://127.0.0.1:{port}/               unix:///var/run/docker.sock
    view-source:http://127.0.0.1:{port}/ blob:http://127.0.0.1:{port}/1
""".split()


@pytest.mark.parametrize("address", FORBIDDEN_HOSTS)
def test_no_address_of_a_private_network_is_asked(address: str, good: Site, forbidden: Listener) -> None:
    target = address.format(port=forbidden.port)
    good.answers["/leads"] = redirect(target.encode().decode("latin-1"))
    for asked in (target, good.url("/leads")):
        with pytest.raises((ForbiddenAddress, BadAddress)) as refusal:
            Fetcher(limits=SMALL).fetch(asked)
        assert refusal.value.message
    assert "/leads" in good.paths()
    assert forbidden.connections == 0


@pytest.mark.parametrize("address", FORBIDDEN_SPELLINGS)
def test_no_misleading_spelling_is_asked(
    address: str, good: Site, forbidden: Listener, quick: Fetcher
) -> None:
    target = address.format(port=forbidden.port)
    good.answers["/leads"] = redirect(target.encode().decode("latin-1"))
    with pytest.raises(BadAddress):
        quick.fetch(target)
    with pytest.raises(FetchError) as refusal:
        quick.fetch(good.url("/leads"))
    # A redirect that names no host stays on the site, as browsers have it.
    assert isinstance(refusal.value, BadAddress) or len(good.paths()) > 2
    assert forbidden.connections == 0


def test_protocol_relative_redirects_are_checked(good: Site, forbidden: Listener, quick: Fetcher) -> None:
    good.answers["/leads"] = redirect(f"//127.0.0.2:{forbidden.port}/")
    with pytest.raises(ForbiddenAddress):
        Fetcher(limits=SMALL).fetch(good.url("/leads"))
    assert forbidden.connections == 0


@pytest.mark.parametrize("status", ["301 A", "302 B", "303 C", "307 D", "308 E"])
def test_the_last_hop_of_a_chain_is_checked_too(status: str, good: Site, forbidden: Listener) -> None:
    good.answers["/1"] = redirect("/2", status)
    good.answers["/2"] = redirect(good.url("/3", host="127.0.0.1"), status)
    good.answers["/3"] = redirect(f"http://169.254.169.254:{forbidden.port}/latest/meta-data/", status)
    with pytest.raises(ForbiddenAddress, match=r"169\.254\.169\.254"):
        Fetcher(limits=SMALL).fetch(good.url("/1"))
    assert forbidden.connections == 0


def test_so_many_redirects_are_followed_and_not_one_more(good: Site, quick: Fetcher) -> None:
    for hop in range(SMALL.redirects + 1):
        good.answers[f"/{hop}"] = redirect(f"/{hop + 1}")
    last = good.url(f"/{SMALL.redirects + 1}")
    good.answers[f"/{SMALL.redirects + 1}"] = response()
    assert quick.fetch(good.url("/1")).url == last
    with pytest.raises(BadAnswer, match=f"more than {SMALL.redirects} times"):
        quick.fetch(good.url("/0"))
    assert good.paths().count(f"/{SMALL.redirects + 1}") == 1


def test_all_redirects_of_an_address_share_its_time(good: Site) -> None:
    def late(answer: bytes) -> Answer:
        def send(connection: socket.socket) -> None:
            time.sleep(0.3)
            connection.sendall(answer)

        return send

    for hop in range(SMALL.redirects):
        good.answers[f"/{hop}"] = late(redirect(f"/{hop + 1}"))
    good.answers[f"/{SMALL.redirects}"] = late(response())
    asking = Fetcher(limits=replace(SMALL, total_seconds=1), obey_robots=False)
    with pytest.raises(NotAnswered):
        asking.fetch(good.url("/0"))
    assert f"/{SMALL.redirects}" not in good.paths()


@pytest.mark.parametrize(
    "addresses",
    [
        ["10.0.0.7"],
        ["127.0.0.2"],
        ["::1"],
        ["::ffff:169.254.169.254"],
        ["fe80::1%lo"],
        ["2606:2800:220:1::1%lo"],
        # One public address does not make up for another.
        ["93.184.215.14", "127.0.0.1"],
        ["nonsense"],
    ],
)
def test_no_name_leads_into_a_private_network(addresses: list[str], forbidden: Listener) -> None:
    asking = Fetcher(limits=SMALL, resolve=lambda host, port: addresses)
    with pytest.raises(ForbiddenAddress):
        asking.fetch(f"http://innocent.test:{forbidden.port}/")
    assert forbidden.connections == 0


def test_a_name_is_resolved_once_and_its_checked_address_is_connected_to(good: Site) -> None:
    """Rebinding: the name leads to the open site when it is checked, and next door a moment later."""
    good.answers["/"] = response()
    good.answers["/again"] = redirect("/")
    asked: list[str] = []

    def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

    asking = Fetcher(limits=SMALL, resolve=rebinding, obey_robots=False)
    with listener("127.0.0.2", good.port) as next_door:
        assert asking.fetch(good.url("/", host="rebinding.test")).body
        assert asked == ["rebinding.test"]
        with pytest.raises(ForbiddenAddress):
            asking.fetch(good.url("/", host="rebinding.test"))
        asked.clear()
        with pytest.raises(ForbiddenAddress):  # a redirect to the same name is another connection
            asking.fetch(good.url("/again", host="rebinding.test"))
        assert next_door.connections == 0


def test_name_servers_that_never_answer_hold_few_threads(good: Site, quick: Fetcher) -> None:
    asked, released = list[str](), threading.Event()

    def silent(host: str, port: int) -> list[str]:
        asked.append(host)
        released.wait(PATIENCE)
        return ["127.0.0.1"]

    good.answers["/"] = response()
    limits = replace(SMALL, connect_seconds=0.1)
    waiting = Fetcher(limits=limits, resolve=silent, obey_robots=False)
    try:
        for n in range(5):
            with pytest.raises(NotAnswered):
                waiting.fetch(good.url("/", host=f"h{n}.silent.test"))
        # A machine that is too busy to begin a lookup in time has asked fewer.
        assert len(asked) <= SITE_LOOKUPS
        assert quick.fetch(good.url("/", host="daily.test")).body
    finally:
        released.set()


def test_a_lookup_that_waits_for_a_thread_in_vain_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "LOOKUPS", 1)
    lookups = transport._Lookups()
    asked, begun, released = list[str](), threading.Event(), threading.Event()

    def slow(host: str, port: int) -> list[str]:
        asked.append(host)
        begun.set()
        released.wait(PATIENCE)
        return ["127.0.0.1"]

    first = threading.Thread(target=lookups.addresses, args=(slow, "one.test", 80, PATIENCE))
    first.start()
    assert begun.wait(PATIENCE)
    with pytest.raises(NotAnswered):
        lookups.addresses(slow, "two.test", 80, 0.01)
    released.set()
    assert lookups.addresses(slow, "three.test", 80, PATIENCE)
    first.join()
    assert asked == ["one.test", "three.test"]


def test_an_unknown_name_is_a_reason_of_its_own() -> None:
    with pytest.raises((BadAddress, NotAnswered)):
        resolve("no-such-host.invalid", 80)


def test_no_proxy_of_the_environment_is_used(
    good: Site, forbidden: Listener, quick: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    good.answers["/"] = response()
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setitem(os.environ, name, f"http://127.0.0.1:{forbidden.port}")
    monkeypatch.setitem(os.environ, "SSL_CERT_FILE", "/nowhere")
    assert quick.fetch(good.url()).body
    assert forbidden.connections == 0


@pytest.mark.parametrize(
    "body",
    [
        b'<meta http-equiv="refresh" content="0; url=%s"><p>hello',
        b'<link rel="preload" href="%s"><p>hello',
        b'<base href="%s"><img src="%s"><p>hello',
        b'<script>location = "%s"</script><iframe src="%s"></iframe>',
    ],
)
def test_nothing_in_a_page_is_followed(body: bytes, good: Site, forbidden: Listener, quick: Fetcher) -> None:
    target = f"http://127.0.0.1:{forbidden.port}/"
    page = body.replace(b"%s", target.encode())
    good.answers["/"] = response(page, refresh=f"0; url={target}", link=f"<{target}>; rel=preload")
    fetched = quick.fetch(good.url())
    assert (fetched.url, fetched.body) == (good.url(), page)
    assert forbidden.connections == 0


# ---- answers ----


def endless(piece: bytes, head: bytes = b"") -> Answer:
    def send(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:
            connection.sendall(piece)

    return send


def slow(whole: bytes, *, pause: float = 0.3) -> Answer:
    def send(connection: socket.socket) -> None:
        for byte in whole:
            connection.sendall(bytes([byte]))
            time.sleep(pause)

    return send


def silent(connection: socket.socket) -> None:
    connection.recv(1)  # until the other end hangs up


ZEROS = bytes(50_000_000)
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n"
CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"
GZIP_BOMB = gzip.compress(ZEROS, 9)
DEFLATE_BOMB = zlib.compress(ZEROS, 9)
RAW_DEFLATE_BOMB = DEFLATE_BOMB[2:-4]
BROTLI_BOMB = brotli.compress(ZEROS, quality=5)

REFUSED: dict[str, tuple[Answer, type[FetchError]]] = {
    "endless body": (endless(b"<p>more", HEAD + b"\r\n"), ResponseTooLarge),
    "endless chunks": (endless(b"40\r\n" + b"x" * 64 + b"\r\n", CHUNKED), ResponseTooLarge),
    "endless empty lines of chunks": (endless(b"1;" + b"x" * 9000 + b"\r\na\r\n", CHUNKED), ResponseTooLarge),
    "content-length of a terabyte": (
        endless(b"x" * 9000, HEAD + b"content-length: 1099511627776\r\n\r\n"),
        ResponseTooLarge,
    ),
    "slow body": (slow(response(b"x" * 100)), NotAnswered),
    "slow headers": (slow(b"HTTP/1.1 200 OK\r\nx-slow: " + b"x" * 100), NotAnswered),
    "silence": (silent, NotAnswered),
    "hangs up": (b"", NotAnswered),
    "hangs up in its headers": (HEAD, NotAnswered),
    "gzip bomb": (response(GZIP_BOMB, content_encoding="gzip"), ResponseTooLarge),
    "deflate bomb": (response(DEFLATE_BOMB, content_encoding="deflate"), ResponseTooLarge),
    "raw deflate bomb": (response(RAW_DEFLATE_BOMB, content_encoding="deflate"), ResponseTooLarge),
    "brotli bomb": (response(BROTLI_BOMB, content_encoding="br"), ResponseTooLarge),
    "gzip bomb of many members": (
        response(gzip.compress(b"x" * 9000) * 50, content_encoding="gzip"),
        ResponseTooLarge,
    ),
    "gzip in gzip": (response(gzip.compress(GZIP_BOMB), content_encoding="gzip, gzip"), BadAnswer),
    "an encoding that was not asked for": (response(content_encoding="zstd"), BadAnswer),
    "gzip that is none": (response(content_encoding="gzip"), BadAnswer),
    "brotli that is none": (response(b"\xff" * 50, content_encoding="br"), BadAnswer),
    "gzip broken off": (
        response(gzip.compress(os.urandom(5000))[:2000], content_encoding="gzip"),
        NotAnswered,
    ),
    "brotli broken off": (
        response(brotli.compress(os.urandom(5000))[:2000], content_encoding="br"),
        NotAnswered,
    ),
    "endless headers": (endless(b"x-more: more\r\n", HEAD), FetchError),
    "one endless header": (endless(b"x" * 1000, HEAD + b"x-more: "), FetchError),
    "a header of 40 KB": (response(x_big="x" * 40_000), ResponseTooLarge),
    "3,000 cookies": (
        HEAD + b"".join(b"set-cookie: c%d=v\r\n" % n for n in range(3000)) + b"\r\n<p>hello",
        ResponseTooLarge,
    ),
    "endless provisional answers": (endless(b"HTTP/1.1 100 Continue\r\n\r\n"), ResponseTooLarge),
    "a switch of protocols": (b"HTTP/1.1 101 Switching\r\nupgrade: h2c\r\n\r\n", FetchError),
    "content-length too long": (response(b"<p>short", content_length="5000"), NotAnswered),
    "two content-lengths": (HEAD + b"content-length: 5\r\ncontent-length: 9\r\n\r\n<p>hello", NotAnswered),
    "negative content-length": (response(content_length="-1"), NotAnswered),
    "chunks of no size": (CHUNKED + b"zz\r\n<p>hello\r\n0\r\n\r\n", NotAnswered),
    "a chunk that never comes": (CHUNKED + b"ffff\r\n<p>hello", NotAnswered),
    "HTTP/0.9": (b"<html><p>hello", NotAnswered),
    "another protocol": (b"SSH-2.0-OpenSSH_9.6\r\n", NotAnswered),
    "header with a line break": (HEAD + b"x: a\r\n b\x00c\r\n\r\n<p>hello", NotAnswered),
    "redirect without a target": (response(b"", status="302 Found"), BadAnswer),
    "redirect to itself": (redirect("/evil"), BadAnswer),
    "an image": (response(b"\x89PNG", content_type="image/png"), WrongType),
    "nothing new, unasked": (b"HTTP/1.1 304 Not Modified\r\n\r\n", BadAnswer),
    "a part": (response(status="206 Partial Content"), BadAnswer),
    "no content": (b"HTTP/1.1 204 No Content\r\n\r\n", BadAnswer),
    "status 999": (response(status="999 Go away"), FetchError),
}


NEVER_DONE = ("slow body", "slow headers", "silence")


@pytest.mark.parametrize("name", REFUSED)
def test_answers_that_hurt_are_refused(name: str, good: Site, quick: Fetcher) -> None:
    answer, error = REFUSED[name]
    good.answers["/evil"] = answer
    asking = to_this_machine(IMPATIENT) if name in NEVER_DONE else quick
    began = time.monotonic()
    with pytest.raises(error) as refusal:
        asking.fetch(good.url("/evil"))
    assert refusal.value.message
    assert time.monotonic() - began < PATIENCE


HARMLESS: dict[str, tuple[bytes, bytes]] = {
    "gzip": (response(gzip.compress(b"<p>hello"), content_encoding="gzip"), b"<p>hello"),
    "gzip with garbage behind": (
        response(gzip.compress(b"<p>hello") + b"garbage", content_encoding="gzip"),
        b"<p>hello",
    ),
    "gzip in two members": (
        response(gzip.compress(b"<p>hel") + gzip.compress(b"lo"), content_encoding="x-gzip"),
        b"<p>hello",
    ),
    "deflate": (response(zlib.compress(b"<p>hello"), content_encoding="deflate"), b"<p>hello"),
    "raw deflate": (response(zlib.compress(b"<p>hello")[2:-4], content_encoding="deflate"), b"<p>hello"),
    "brotli": (response(brotli.compress(b"<p>hello"), content_encoding="br"), b"<p>hello"),
    "large gzip": (
        response(gzip.compress(b"<p>hello " * 9000), content_encoding="gzip"),
        b"<p>hello " * 9000,
    ),
    "large brotli": (
        response(brotli.compress(b"<p>hello " * 9000), content_encoding="br"),
        b"<p>hello " * 9000,
    ),
    "content-length too short": (response(b"<p>hello, and more", content_length="8"), b"<p>hello"),
    "chunks": (CHUNKED + b"3\r\n<p>\r\n5\r\nhello\r\n0\r\n\r\n", b"<p>hello"),
    "until the end": (response(b"<p>hello", length=False), b"<p>hello"),
    "no type": (b"HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n<p>hello", b"<p>hello"),
    "empty": (response(b""), b""),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_answers_that_only_look_odd_are_read_as_browsers_read_them(
    name: str, good: Site, quick: Fetcher
) -> None:
    answer, body = HARMLESS[name]
    good.answers["/odd"] = answer
    assert quick.fetch(good.url("/odd")).body == body
