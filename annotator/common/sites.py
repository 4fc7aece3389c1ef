"""The site of an address: what is counted, limited and reported together."""

from urllib.parse import urlsplit

import httpx
import tldextract

# Uses the public suffix list that is bundled with the library; nothing is fetched.
_sites = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


def site_of(url: str) -> str:
    """Return the registered domain of a URL (public suffix list, private suffixes included), or its host.

    Under an unknown suffix the last two labels are the site, by the default rule of the list. A name that
    browsers and fetching spell in ASCII (`xn--`) is in its own letters, as in lists that people write: a site
    has one name however its pages came in. What cannot be read as a URL has none.
    """
    try:
        return _in_its_letters(_site_of(url))
    except ValueError:
        return ""


def _site_of(url: str) -> str:
    parts = _sites(url, include_psl_private_domains=True)
    if parts.suffix or parts.ipv4 or parts.ipv6:
        return (parts.top_domain_under_public_suffix or parts.fqdn or parts.domain).lower()[:255]
    return ".".join((urlsplit(url).hostname or "").rstrip(".").split(".")[-2:])[:255]


def _in_its_letters(site: str) -> str:
    if site.isascii() and "xn--" not in site:
        return site
    try:
        return ".".join(httpx.URL(f"http://{label}").host for label in site.split("."))
    except (httpx.InvalidURL, ValueError):
        return site
