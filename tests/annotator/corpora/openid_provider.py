"""A small OpenID provider on a free port, with discovery, PKCE, signed identity tokens and user info."""

import json
import secrets
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "goldpan", "a secret of the provider"


class Provider(ThreadingHTTPServer):
    """`person` is who has signed in at the provider: the claims that it sends."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.person: dict[str, Any] = {}
        self.audience = CLIENT
        self.asked: dict[str, dict[str, str]] = {}  # by code
        self.url = f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/authorize":
            self._authorize({name: values[0] for name, values in parse_qs(parts.query).items()})
        elif parts.path == "/userinfo":
            self._answer(self.server.person)
        elif parts.path == "/jwks":
            public = jwt.algorithms.RSAAlgorithm.to_jwk(self.server.key.public_key(), as_dict=True)
            self._answer({"keys": [{**public, "kid": "1", "alg": "RS256", "use": "sig"}]})
        else:
            self._answer(self._discovery())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        given = {name: values[0] for name, values in parse_qs(body).items()}
        asked = self.server.asked.pop(given["code"], {})
        challenge = urlsafe_b64encode(sha256(given["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        is_true = (
            (given["client_id"], given["client_secret"]) == (CLIENT, SECRET)
            and asked.get("redirect_uri") == given["redirect_uri"]
            and asked.get("code_challenge") == challenge
        )
        if is_true:
            self._answer({"access_token": "access", "token_type": "Bearer", "id_token": self._id_token()})
        else:
            self._answer({"error": "invalid_grant"}, status=400)

    def _authorize(self, asked: dict[str, str]) -> None:
        code = secrets.token_urlsafe()
        self.server.asked[code] = asked
        self.send_response(302)
        query = urlencode({"code": code, "state": asked["state"]})
        self.send_header("Location", f"{asked['redirect_uri']}?{query}")
        self.end_headers()

    def _id_token(self) -> str:
        now = int(time.time())
        claims = {"iss": self.server.url, "aud": self.server.audience, "iat": now, "exp": now + 60}
        return jwt.encode({**self.server.person, **claims}, self.server.key, "RS256", headers={"kid": "1"})

    def _discovery(self) -> dict[str, Any]:
        url = self.server.url
        return {
            "issuer": url,
            "authorization_endpoint": f"{url}/authorize",
            "token_endpoint": f"{url}/token",
            "userinfo_endpoint": f"{url}/userinfo",
            "jwks_uri": f"{url}/jwks",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def _answer(self, value: dict[str, Any], *, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(value).encode())


@contextmanager
def serving() -> Iterator[Provider]:
    with Provider() as provider:
        thread = threading.Thread(target=provider.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield provider
        finally:
            provider.shutdown()
            thread.join()
