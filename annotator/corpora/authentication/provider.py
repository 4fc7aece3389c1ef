"""The OpenID provider of single sign-on, for the settings."""

from typing import Any

# In addresses.
PROVIDER_ID = "sso"


def provider_settings(*, server_url: str, name: str, client_id: str, secret: str) -> dict[str, Any]:
    """django-allauth's `SOCIALACCOUNT_PROVIDERS`; none without the address of a provider."""
    if not server_url:
        return {}
    provider = {
        "provider_id": PROVIDER_ID,
        "name": name,
        "client_id": client_id,
        "secret": secret,
        "settings": {"server_url": server_url},
    }
    return {"openid_connect": {"APPS": [provider], "OAUTH_PKCE_ENABLED": True}}
