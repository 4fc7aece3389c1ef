"""Forms of the door: signing in, taking an invitation, a new password."""

from django import forms
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm
from django.utils.translation import gettext_lazy as _

from annotator.common.roles import ANNOTATOR, NOT_WITH_ANNOTATOR
from annotator.corpora.models import Role, User


def focus_first(form: forms.BaseForm) -> None:
    """Let the cursor wait in the first field, or in the first that was refused."""
    refused = next((name for name in form.fields if form.is_bound and name in form.errors), "")
    for field in form.fields.values():
        field.widget.attrs.pop("autofocus", None)
    form.fields[refused or next(iter(form.fields))].widget.attrs["autofocus"] = True


class SignInForm(AuthenticationForm):
    """Name and password; the name in any case, as no two people differ by case alone."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _("This name and password do not go together."),
    }

    def clean_username(self) -> str:
        given = self.cleaned_data["username"]
        return User.objects.filter(username__iexact=given).values_list("username", flat=True).first() or given


class SignUpForm(BaseUserCreationForm):
    """An account for whoever holds an invitation."""

    class Meta:
        model = User
        fields = ("first_name", "username")
        labels = {"first_name": _("Your name"), "username": _("Name to sign in with")}
        help_texts = {"username": _("Letters, digits and @ . + - _"), "first_name": ""}

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["first_name"].required = True
        self.fields["first_name"].widget.attrs["autocomplete"] = "name"
        self.fields["password2"].help_text = ""
        focus_first(self)

    def clean_username(self) -> str:
        username = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=username).exists():
            raise forms.ValidationError(_("This name is taken."))
        return username


class RolesForm(forms.Form):
    """One or more roles that go together."""

    roles = forms.MultipleChoiceField(choices=Role, label=_("Roles"), widget=forms.CheckboxSelectMultiple)

    def clean_roles(self) -> list[str]:
        roles = self.cleaned_data["roles"]
        if ANNOTATOR in roles and NOT_WITH_ANNOTATOR & set(roles):
            raise forms.ValidationError(
                _("An annotator cannot be researcher or admin too: she would see others' marks and gold.")
            )
        return roles


class InviteForm(RolesForm):
    note = forms.CharField(
        label=_("For whom"),
        max_length=200,
        required=False,
        help_text=_("Only admins of this corpus see it."),
    )
