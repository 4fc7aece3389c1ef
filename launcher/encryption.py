"""Archives encrypted with age: written with public keys, so that the machine need not hold a private one."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from launcher.errors import LauncherError

if TYPE_CHECKING:
    from pyrage.x25519 import Identity, Recipient

# The first line of every file of age.
HEADER = b"age-encryption.org/v1\n"


def recipients(text: str) -> list[str]:
    """Return the public keys in a text, with commas. Raises LauncherError for one that is none."""
    keys = [part.strip() for part in text.split(",") if part.strip()]
    if keys:
        _recipients(keys)
    return keys


def make_identity(path: Path) -> str:
    """Write a new private key, mode 0600, into a file that is not there yet; return its public key."""
    from pyrage import x25519

    identity = x25519.Identity.generate()
    public = str(identity.to_public())
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise LauncherError(f"{path} cannot be written: {error.strerror}. Choose another name.") from error
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(f"# public key: {public}\n{identity}\n")
    return public


def encrypt(source: Path, target: IO[bytes], recipients: Sequence[str]) -> None:
    """Write `source` into `target` so that the private key of any recipient can read it.

    Raises LauncherError where it cannot be written, as on a full disk.
    """
    import pyrage

    with source.open("rb") as plain:
        try:
            pyrage.encrypt_io(plain, target, _recipients(recipients))
        except pyrage.EncryptError as error:
            raise LauncherError(f"The backup cannot be encrypted: {error}") from error


def is_encrypted(path: Path) -> bool:
    """Return whether a file is one of age."""
    with path.open("rb") as stream:
        return stream.read(len(HEADER)) == HEADER


def decrypt(source: Path, target: Path, identity_file: Path | None) -> None:
    """Write what `source` holds into `target`, by the private keys in a file.

    Raises LauncherError without a file, with the wrong key, and for a damaged source; OSError where `target`
    cannot be written.
    """
    import pyrage

    if identity_file is None:
        raise LauncherError(
            f"{source} is encrypted, nothing was changed. Name the file with the private key: "
            "goldpan restore --identity KEYFILE FILE (make restore FILE=... IDENTITY=KEYFILE)."
        )
    identities = _identities(identity_file)
    try:
        with source.open("rb") as encrypted, target.open("xb") as plain:
            pyrage.decrypt_io(encrypted, plain, identities)
    except pyrage.DecryptError as error:
        raise LauncherError(
            f"{source} was not encrypted for the key in {identity_file}, nothing was changed."
        ) from error
    except OSError as error:
        if error.errno is not None:  # of our own disk
            raise
        raise LauncherError(f"{source} is damaged, nothing was changed: {error}") from error


def _recipients(keys: Sequence[str]) -> "list[Recipient]":
    from pyrage import RecipientError, x25519

    try:
        return [x25519.Recipient.from_str(key) for key in keys]
    except RecipientError as error:
        raise LauncherError(
            f"{', '.join(keys)}: not a public key of age (age1...): {error}. Check GOLDPAN_BACKUP_RECIPIENTS."
        ) from error


def _identities(path: Path) -> "list[Identity]":
    from pyrage import IdentityError, x25519

    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        found = [x25519.Identity.from_str(line) for line in lines if line and not line.startswith("#")]
    except OSError as error:
        raise LauncherError(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeError, IdentityError) as error:
        raise LauncherError(
            f"{path} is no file with a private key of age, nothing was changed. "
            "Name the file that `goldpan make-key` wrote."
        ) from error
    if not found:
        raise LauncherError(f"{path} holds no private key of age (AGE-SECRET-KEY-1...).")
    return found
