"""Who may use an operation: the holder of a token with its scope, if they may do the same on a screen."""

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.errors import AuthenticationError
from ninja.security import HttpBearer

from annotator.api.limits import count_failure, count_request
from annotator.common.errors import NotAllowed
from annotator.common.logs import user_id
from annotator.common.roles import OPERATIONS, route_of_operation
from annotator.corpora.access import allow
from annotator.corpora.audit.origin import client_address
from annotator.corpora.tokens.actions import note_use
from annotator.corpora.tokens.models import ApiToken
from annotator.corpora.tokens.queries import token_of


class Guard(HttpBearer):
    """Lets requests through to one operation. A session is never asked, so that no other site can use it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def __call__(self, request: HttpRequest) -> ApiToken:
        """Raises AuthenticationError without a valid token, and what `allow` and the limits raise."""
        match = request.resolver_match
        if match:
            # Operations on one path have one route, which Django knows by the name of the first.
            match.view_name = route_of_operation(self._name)
        token = super().__call__(request)
        if not isinstance(token, ApiToken):
            count_failure(client_address(request))
            raise AuthenticationError(
                message=_(
                    "Send a valid token as “Authorization: Bearer …”. Tokens are made on the account screen."
                )
            )
        count_request(token.user_id)
        request.user, request.api_token = token.user, token  # type: ignore[attr-defined]
        user_id.set(token.user_id)
        note_use(token=token)
        operation = OPERATIONS[self._name]
        if operation.scope not in token.scopes:
            raise NotAllowed(
                _("This token does not have the scope “%(scope)s”.") % {"scope": operation.scope}
            )
        allow(request, token.user, operation.like, str(match.kwargs.get("slug", "")) if match else "")
        return token

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        return token_of(token)
