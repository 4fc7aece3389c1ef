"""Settings, read from the environment; `GOLDPAN_HOME/environment.json` has those that the launcher wrote.

Development is the default. `GOLDPAN_ENV=production` refuses to start without SECRET_KEY and ALLOWED_HOSTS.
"""

import ipaddress
import json
import os
import re
import sys
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dj_database_url
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from tzlocal import get_localzone_name

from annotator.corpora.authentication.provider import provider_settings

BASE_DIR = Path(__file__).resolve().parent.parent
if not os.environ.get("GOLDPAN_HOME") and not (BASE_DIR / "pyproject.toml").exists():
    raise ImproperlyConfigured("GOLDPAN_HOME is not set. Use `goldpan manage`, or set it to the data folder.")
GOLDPAN_HOME = Path(os.environ.get("GOLDPAN_HOME") or BASE_DIR / "var").resolve()
_KIND = os.environ.get("GOLDPAN_ENV") or "development"
if _KIND not in ("development", "production"):
    raise ImproperlyConfigured(f"GOLDPAN_ENV={_KIND} is neither development nor production.")
PRODUCTION = _KIND == "production"
# What only all together mean one Goldpan.
_SERVERS = ("SECRET_KEY", "DATABASE_URL", "REDIS_URL")


def _written_by_launcher() -> dict[str, str]:
    """What `make run` wrote while it runs; nothing where the environment says all, or names other servers."""
    given = {name: os.environ[name] for name in _SERVERS if os.environ.get(name)}
    if PRODUCTION or len(given) == len(_SERVERS):
        return {}
    path = GOLDPAN_HOME / "environment.json"
    try:
        written = dict(json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise ImproperlyConfigured(
            f"{path} cannot be read: {why}. Run the command as who ran `make run`, or start that again."
        ) from error
    other = ", ".join(name for name in given if given[name] != written.get(name))
    if other:
        raise ImproperlyConfigured(
            f"{other} is set, but not to that of the Goldpan that runs in {GOLDPAN_HOME}. "
            f"Set all of {', '.join(_SERVERS)}, or none."
        )
    return written


if GOLDPAN_HOME.exists() and not GOLDPAN_HOME.is_dir():
    raise ImproperlyConfigured(f"GOLDPAN_HOME is no folder: {GOLDPAN_HOME}. Set it to the data folder.")
_LAUNCHER_SETTINGS = _written_by_launcher()


def _setting(name: str, default: str = "") -> str:
    return os.environ.get(name) or _LAUNCHER_SETTINGS.get(name, default)


def _required(name: str, what: str) -> str:
    value = _setting(name)
    if not value and PRODUCTION:
        raise ImproperlyConfigured(f"{name} is not set: {what}")
    if not value:
        raise ImproperlyConfigured(
            f"{name} is not set, and Goldpan does not run in {GOLDPAN_HOME}: start it with `make run`, set "
            f"GOLDPAN_HOME to the data folder of one that runs, or {what}"
        )
    return value


def _database(url: str) -> dict[str, object]:
    if not url.startswith(("postgres://", "postgresql://")):
        raise ImproperlyConfigured(
            "DATABASE_URL must begin with postgresql://; Goldpan runs on PostgreSQL only."
        )
    database = dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True)
    # Seconds; a server that hangs accepts connections and answers none of them.
    options = {"connect_timeout": 10, **database.get("OPTIONS", {})}
    return {**database, "OPTIONS": options}


def _number(name: str, default: int) -> int:
    text = _setting(name) or str(default)
    if not (text.isascii() and text.isdigit()):
        raise ImproperlyConfigured(f"{name}={text} is not a whole number, such as {default}.")
    return int(text)


def _numbers(name: str, defaults: dict[str, int]) -> dict[str, int]:
    """The defaults, changed by pairs such as `live=120,bulk=7200`."""
    given = [pair.partition("=") for pair in _setting(name).split(",") if pair.strip()]
    try:
        changes = {key.strip(): int(value) for key, _equals, value in given}
    except ValueError:
        changes = {"": 0}
    if changes.keys() - defaults.keys() or min(changes.values(), default=0) < 0:
        raise ImproperlyConfigured(
            f"{name} is not of the form live=120,bulk=7200; it knows {list(defaults)}."
        )
    return defaults | changes


def _number_of_proxies(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ImproperlyConfigured(
            f"GOLDPAN_BEHIND_PROXY={text} is not a number. "
            "Say how many reverse proxies a request passes, such as 1, or leave it out."
        )
    return int(text)


def _networks(name: str) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    try:
        return [ipaddress.ip_network(part.strip()) for part in _setting(name).split(",") if part.strip()]
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} is not of the form 198.51.100.0/24,2001:db8::/32: {error}"
        ) from None


def _ports(name: str) -> frozenset[int]:
    try:
        return frozenset(int(part) for part in _setting(name).split(",") if part.strip())
    except ValueError:
        raise ImproperlyConfigured(f"{name} is not of the form 8001,8002.") from None


SECRET_KEY = _required(
    "SECRET_KEY",
    "set it to a long random text: there is no default key. Make the first admin with "
    "`manage.py create_admin NAME`.",
)
# What Django's check security.W009 asks for.
if PRODUCTION and (
    len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 5 or SECRET_KEY.startswith("django-insecure-")
):
    raise ImproperlyConfigured(
        "SECRET_KEY can be guessed: whoever does signs in as anybody. It needs 50 random characters or more. "
        "Make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"
    )
ALLOWED_HOSTS = [host.strip() for host in _setting("ALLOWED_HOSTS").split(",") if host.strip()]
if PRODUCTION and not ALLOWED_HOSTS:
    raise ImproperlyConfigured(
        "ALLOWED_HOSTS is not set. List the names under which Goldpan is reached, with commas. "
        "Make the first admin with `manage.py create_admin NAME`."
    )
if PRODUCTION and "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured(
        "ALLOWED_HOSTS=* would let anybody make links to another site in our name. "
        "List the names under which Goldpan is reached, with commas."
    )
ALLOWED_HOSTS = ALLOWED_HOSTS or ["127.0.0.1", "localhost", "[::1]"]
CSRF_TRUSTED_ORIGINS = [
    f"https://{host}" for host in ALLOWED_HOSTS if PRODUCTION and not host.startswith(".")
]
DEBUG = False

INSTALLED_APPS = [
    "annotator",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "axes",
    "csp",
    "pgtrigger",
]
MIDDLEWARE = [
    "annotator.common.logs.follow_requests",
    "annotator.common.metrics.measure_requests",
    "django.middleware.security.SecurityMiddleware",
    "annotator.common.http.resource_policy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "annotator.common.http.understandable",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "annotator.corpora.audit.origin.remember_request",
    "annotator.corpora.access.AccessMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "annotator.urls"
WSGI_APPLICATION = "annotator.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "annotator.common.http.template_context",
                "annotator.corpora.access.header_context",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.l10n",
                "django.templatetags.static",
                "django.templatetags.tz",
                "annotator.common.templatetags.figures",
                "annotator.common.templatetags.layout",
                "annotator.common.templatetags.modules",
                "annotator.common.templatetags.names",
            ],
        },
        "APP_DIRS": True,
    }
]

DATABASES = {"default": _database(_required("DATABASE_URL", "point it at a PostgreSQL database."))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Raw bytes, trees, views and exports, addressed by digest; never served as files.
FILES = GOLDPAN_HOME / "files"
FILES_BUCKET = _setting("FILES_BUCKET")
STORAGES = {
    "default": {
        "BACKEND": "annotator.common.object_storage.ObjectStorage",
        "OPTIONS": {
            "bucket": FILES_BUCKET,
            "endpoint": _setting("FILES_ENDPOINT"),
            "region": _setting("FILES_REGION"),
            "prefix": _setting("FILES_PREFIX"),
        },
    }
    if FILES_BUCKET
    else {"BACKEND": "annotator.common.storage.AtomicFiles", "OPTIONS": {"location": FILES}},
    "staticfiles": {"BACKEND": "annotator.common.static.HashedModules"},
}
# The launcher makes them; the health page says what became of the last one.
BACKUPS_SCHEDULED = bool(_setting("GOLDPAN_BACKUP_AT"))
STATIC_URL = "static/"
STATIC_ROOT = GOLDPAN_HOME / "static"
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_MAX_AGE = 31_536_000 if PRODUCTION else 60

AUTH_USER_MODEL = "annotator.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign-in"
PASSWORD_RESET_TIMEOUT = 3 * 24 * 3600
# Single sign-on and second factors: see docs/decisions/0038-sessions-and-sign-in.md.
SINGLE_SIGN_ON = _setting("OIDC_NAME", "single sign-on") if _setting("OIDC_URL") else ""
SOCIALACCOUNT_PROVIDERS = provider_settings(
    server_url=_setting("OIDC_URL"),
    name=SINGLE_SIGN_ON,
    client_id=_setting("OIDC_CLIENT_ID"),
    secret=_setting("OIDC_CLIENT_SECRET"),
)
SOCIALACCOUNT_ADAPTER = "annotator.corpora.authentication.adapters.SingleSignOnAdapter"
# A link to the provider: a form that ends there would need its address in the policy of the screen.
SOCIALACCOUNT_LOGIN_ON_GET = True
SECOND_FACTORS = bool(_setting("SECOND_FACTORS"))
MFA_ADAPTER = "annotator.corpora.authentication.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_TOTP_ISSUER = "Goldpan"
MFA_TOTP_TOLERANCE = 1
ACCOUNT_ADAPTER = "annotator.corpora.authentication.adapters.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"
# The limits by address and by username alone are beside the handler.
AXES_HANDLER = "annotator.corpora.guessing.SignInLimits"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_CALLABLE = "annotator.corpora.views.locked_out"
AXES_VERBOSE = False
# Who is locked out gets in again at that time, however often somebody tries meanwhile.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "annotator.corpora.audit.origin.client_address"
AXES_USERNAME_CALLABLE = "annotator.corpora.guessing.counted_as"

REDIS_URL = _required("REDIS_URL", "point it at a Redis or Valkey server.")
if not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
    raise ImproperlyConfigured("REDIS_URL must begin with redis://, rediss:// or unix://.")
_SOCKET = REDIS_URL.startswith("unix:")
CELERY_BROKER_URL = (
    REDIS_URL.replace("unix:", "redis+socket:", 1).replace("?db=", "?virtual_host=") if _SOCKET else REDIS_URL
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = "live"
# A killed worker's messages come back by themselves after `visibility_timeout`; the sweeper is much quicker.
# Without the others a request would wait for as long as a broker hangs.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 600,
    "socket_timeout": 5,
    "socket_connect_timeout": 5,
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Celery kills a process of a worker that has not begun after 4 seconds, and those that follow it, as long as
# the machine is so busy.
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 120.0
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# `annotator.celery` decides when a connection to the database ends.
CELERY_DB_REUSE_MAX = sys.maxsize
CELERY_BEAT_SCHEDULE_FILENAME = str(GOLDPAN_HOME / "beat-schedule")
SWEEP_SECONDS = 10.0
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "annotator.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"queue": "sweep", "expires": SWEEP_SECONDS},
    },
    # At night in UTC.
    "check-totals": {
        "task": "annotator.scoring.tasks.request_checks",
        "schedule": crontab(hour=2, minute=40),
        "options": {"queue": "sweep"},
    },
    "remove-left-files": {
        "task": "annotator.releases.tasks.remove_left_files",
        "schedule": crontab(minute=20),
        "options": {"queue": "bulk"},
    },
    "clear-sessions": {
        "task": "annotator.tasks.clear_sessions",
        "schedule": timedelta(days=1),
        "options": {"queue": "sweep"},
    },
}
CELERY_TIMEZONE = "UTC"

CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL},
    # Of each process, for what monitors ask: it is there when Valkey is not.
    "near": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}


def _zone_of_machine() -> str:
    try:
        return str(get_localzone_name() or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return "UTC"


TIME_ZONE = _setting("TIME_ZONE") or _zone_of_machine()
try:
    ZoneInfo(TIME_ZONE)
except (ZoneInfoNotFoundError, ValueError, OSError) as error:
    raise ImproperlyConfigured(
        f"TIME_ZONE={TIME_ZONE} is no time zone: give a name such as Europe/Madrid."
    ) from error
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("es", _("Spanish"))]
LANGUAGE_COOKIE_SAMESITE = "Lax"

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# The CSRF cookie stays readable: an open workbench takes the new one after signing in again in another tab.
SESSION_ENGINE = "annotator.corpora.sessions.store"
SESSION_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = PRODUCTION
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "annotator.common.http.csrf_failure"
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_SSL_REDIRECT = PRODUCTION
# Asked by monitors on the machine itself, and without secrets.
SECURE_REDIRECT_EXEMPT = ["^alive/$", "^ready/$"]
# Headers of proxies are believed as far as there are proxies of ours; see docs/operating.md.
PROXIES = _number_of_proxies(os.environ.get("GOLDPAN_BEHIND_PROXY") or "0")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXIES else None

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "frame-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# When /ready/ says that something is wrong: seconds for which a row of a queue waits (for `sweep`: since the
# sweeper ran) and a worker is silent; free space in MB.
READY_MAX_WAIT = _numbers(
    "READY_MAX_WAIT", {"live": 300, "import": 6 * 3600, "score": 6 * 3600, "bulk": 24 * 3600, "sweep": 120}
)
READY_MAX_SILENCE = _number("READY_MAX_SILENCE", 60)
READY_MIN_FREE_MB = _number("READY_MIN_FREE_MB", 1000)
# Whoever asks for /metrics/ has to know it; empty: there is no such address.
METRICS_TOKEN = _setting("METRICS_TOKEN")

# Fetching pages and feeds. Whom sites may write to: an email address or a web page, in our user agent.
FETCH_CONTACT = _setting("GOLDPAN_CONTACT")
if not re.fullmatch(r"[!-'*-\[\]-~]{0,200}", FETCH_CONTACT):
    raise ImproperlyConfigured(
        "GOLDPAN_CONTACT is neither an email address nor a web page: it has spaces, brackets or letters "
        "beyond ASCII."
    )
# Between two requests to one site.
FETCH_PAUSE_SECONDS = _number("GOLDPAN_FETCH_PAUSE", 1)
# Networks that are never asked, beside all private ones: those of an intranet with public addresses.
FETCH_FORBIDDEN_NETWORKS = _networks("GOLDPAN_FETCH_FORBIDDEN")
# For tests alone: these ports of this machine may be asked.
FETCH_LOOPBACK_PORTS = _ports("GOLDPAN_FETCH_LOOPBACK_PORTS")
if PRODUCTION and FETCH_LOOPBACK_PORTS:
    raise ImproperlyConfigured(
        "GOLDPAN_FETCH_LOOPBACK_PORTS is for tests: with it, whoever imports an address reaches this "
        "machine. Leave it out."
    )

# The files of one import, together.
IMPORT_MAX_UPLOAD_MB = _number("IMPORT_MAX_UPLOAD_MB", 4096)
# Of one person, with all of their tokens.
API_REQUESTS_PER_MINUTE = _number("API_REQUESTS_PER_MINUTE", 600)
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024
LOG_FORMAT = _setting("LOG_FORMAT", "text")
if LOG_FORMAT not in ("text", "json"):
    raise ImproperlyConfigured(f"LOG_FORMAT={LOG_FORMAT} is neither text nor json.")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"context": {"()": "annotator.common.logs.Context"}},
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "annotator.common.logs.JsonFormatter"},
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["context"]}
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "annotator": {"level": "INFO"},
        # A line for each request and each task.
        "annotator.access": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
        # gunicorn gives it a handler of its own, which this replaces.
        "gunicorn.error": {"handlers": ["stderr"], "propagate": False},
    },
}
