"""`post` sends a body to an address, through the same checks as `Fetcher`: never into a private network.

It follows no redirect, as the next address would get what was meant for the first, and reads no answer.
"""

from collections.abc import Mapping
from contextlib import closing

import httpx

from annotator.fetching import transport
from annotator.fetching.addresses import parse_address
from annotator.fetching.limits import FetchBudget, FetchLimits

LIMITS = FetchLimits(body_bytes=64 * 1024, connect_seconds=5, read_seconds=10, total_seconds=15, redirects=0)


def post(
    url: str,
    *,
    body: bytes,
    headers: Mapping[str, str],
    resolve: transport.Resolve = transport.resolve,
) -> int:
    """Send the body and return the status of the answer, whatever it is. Another `resolve` is for tests.

    Raises FetchError: Refused for an address that is never asked, NotAnswered for now.
    """
    budget = FetchBudget(LIMITS)
    sent = {**headers, "connection": "close"}
    request = httpx.Request("POST", parse_address(url), content=body, headers=sent)
    checked = transport.CheckedTransport(budget, resolve=resolve, tls=transport.tls())
    with budget.spending(), closing(checked), closing(checked.handle_request(request)) as response:
        return response.status_code
