"""Forms for signing in, signing up, roles and invitations."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm, UsernameField
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotator.common.display_names import ROLES
from annotator.common.errors import GoldpanError
from annotator.corpora.actions import check_together
from annotator.corpora.models import NAME_LENGTH, Corpus, User


def focus_first(form: forms.BaseForm) -> None:
    """Focus the first field, or the first with an error."""
    invalid = next((name for name in form.fields if form.is_bound and name in form.errors), "")
    for field in form.fields.values():
        field.widget.attrs.pop("autofocus", None)
    form.fields[invalid or next(iter(form.fields))].widget.attrs["autofocus"] = True


def offer(form: forms.BaseForm, name: str, choices: list[tuple[Any, Any]]) -> None:
    """Let the field of choices have these, which are only known with the form."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices


def base_on(form: forms.BaseForm, version: int, sent: QueryDict) -> None:
    """Show the form as it was sent, so that it can be sent again: now based on this version."""
    form.data = sent.copy()
    form.data["based_on"] = str(version)


class SignInForm(AuthenticationForm):
    """Username and password; the username in any case, since no two differ by case alone."""

    username = UsernameField(max_length=150, widget=forms.TextInput(attrs={"autofocus": True}))

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _("Incorrect username or password."),
    }

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        known = User.objects.filter(username__iexact=username).values_list("username", flat=True).first()
        return known or username


class SignUpForm(BaseUserCreationForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """A new account for the holder of an invitation."""

    class Meta:
        model = User
        fields = ("first_name", "username")
        labels = {"first_name": _("Display name"), "username": _("Username")}
        help_texts = {"username": _("Letters, digits and @ . + - _"), "first_name": ""}

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["first_name"].required = True
        self.fields["first_name"].widget.attrs["autocomplete"] = "name"
        self.fields["password2"].help_text = ""
        focus_first(self)


class RolesForm(forms.Form):
    """One or more roles that one user may hold together."""

    roles = forms.MultipleChoiceField(
        choices=ROLES,
        label=_("Roles"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Select at least one role.")},
    )

    def clean_roles(self) -> list[str]:
        roles: list[str] = self.cleaned_data["roles"]
        try:
            check_together(roles)
        except GoldpanError as error:
            raise forms.ValidationError(error.message) from error
        return roles


class InviteForm(RolesForm):
    note = forms.CharField(
        label=_("Note"),
        max_length=200,
        required=False,
        help_text=_("Visible to admins of this corpus only."),
    )
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        help_text=_("If they have no account yet, single sign-on lets them join without the link."),
    )


class DisplayNameForm(forms.Form):
    """How the user is called on all screens."""

    first_name = forms.CharField(
        label=_("Display name"),
        max_length=150,
        help_text=_("Others see it beside what you do. Your username stays."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )


class ConfirmationForm(forms.Form):
    """The corpus's name, typed by whoever is about to do what is hard or impossible to undo."""

    typed_name = forms.CharField(
        label=_("Name of the corpus"),
        max_length=NAME_LENGTH,
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, corpus: Corpus, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.corpus = corpus
        self.fields["typed_name"].help_text = _("Type “%(name)s” to confirm.") % {"name": corpus.name}

    def clean_typed_name(self) -> str:
        typed: str = self.cleaned_data["typed_name"]
        if " ".join(typed.split()) != " ".join(self.corpus.name.split()):
            raise forms.ValidationError(_("This is not the name of the corpus."))
        return typed
