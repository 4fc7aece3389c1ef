"""Texts of Django and django-allauth that people read here, so that our catalogues can word them as the rest.

Their Spanish says usted, ours says tú; the catalogues of this app come before theirs.
"""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

FORMS = (
    _("Enter a whole number."),
    _("Enter a number."),
    _("Enter a valid date."),
    _("Enter a valid email address."),
    _("Enter a list of values."),
    _("Select a valid choice. %(value)s is not one of the available choices."),
    _("Ensure this value is less than or equal to %(limit_value)s."),
    _("Ensure this value is greater than or equal to %(limit_value)s."),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
        "limit_value",
    ),
)
PASSWORDS = (
    _("Enter the same password as before, for verification."),
    _("Your old password was entered incorrectly. Please enter it again."),
    _("The password is too similar to the %(verbose_name)s."),
    _("Your password can’t be too similar to your other personal information."),
    _("Your password can’t be a commonly used password."),
    _("Your password can’t be entirely numeric."),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
    _("Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters."),
)
SIGNING_IN = (_("Use your password"), _("Too many failed login attempts. Try again later."))
