"""Signatures of reports: Ed25519 over the bytes of the file, in a small JSON file beside it."""

import base64
import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from validator.cli.reading import MOST_REPORT_BYTES
from validator.errors import SettingsError
from validator.operator_file import read_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

SUFFIX = ".sig"
VERSION = "envassay-signature-1"
MOST_BYTES = 2**16
KEY = "Make one: `envassay sign REPORT --key FILE --new-key`."


def signature_of(report: Path) -> Path:
    """Return where the signature of a report lies."""
    return report.with_name(report.name + SUFFIX)


def new_key(path: Path) -> None:
    """Make a private key that only its owner may read, and its public half beside it.

    Raises:
        SettingsError: there is a file already, or none can be written.
    """
    from validator.recording import write_whole

    serialization, ed25519 = _cryptography()
    key = ed25519.Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(private)
        try:
            write_whole(path.with_name(path.name + ".pub"), _pem(key.public_key()).decode("ascii"))
        except OSError:
            path.unlink()
            raise
    except OSError as fault:
        raise SettingsError(
            f"cannot be written ({fault.strerror})", where=str(path), do="Name another file."
        ) from fault


def sign(report: Path, key: Path, signature: Path) -> str:
    """Sign the bytes of a report; return the id of the key.

    Raises:
        SettingsError: the key is none, or a file cannot be read or written.
    """
    from validator.recording import write_whole

    private = _private(key)
    content = read_file(report, most=MOST_REPORT_BYTES, do="Name a report.json.")
    public = private.public_key()
    document = {
        "format": VERSION,
        "key": key_id(public),
        "sha256": hashlib.sha256(content).hexdigest(),
        "signature": base64.b64encode(private.sign(_message(content))).decode("ascii"),
    }
    try:
        write_whole(signature, json.dumps(document, indent=2) + "\n")
    except OSError as fault:
        raise SettingsError(
            f"cannot be written ({fault.strerror})", where=str(signature), do="Use --signature."
        ) from fault
    return key_id(public)


def verify(report: Path, key: Path, signature: Path) -> str:
    """Return the id of the key that signed a report.

    Raises:
        SettingsError: the report is not what was signed, or a file is not what it should be.
    """
    from cryptography.exceptions import InvalidSignature

    public = _public(key)
    content = read_file(report, most=MOST_REPORT_BYTES, do="Name a report.json.")
    signed = _signature(signature)
    try:
        public.verify(signed, _message(content))
    except InvalidSignature as fault:
        raise SettingsError(
            "is not what was signed with that key",
            where=str(report),
            do="It was changed, or signed by someone else: do not trust it.",
        ) from fault
    return key_id(public)


def key_id(public: "Ed25519PublicKey") -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a public key."""
    serialization, _ = _cryptography()
    raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return hashlib.sha256(raw).hexdigest()[:16]


def _message(content: bytes) -> bytes:
    """Return what is signed: it cannot be mistaken for a signature of anything else."""
    return f"{VERSION}\n{hashlib.sha256(content).hexdigest()}\n".encode("ascii")


def _signature(path: Path) -> bytes:
    try:
        found = json.loads(read_file(path, most=MOST_BYTES, do="Sign the report first."))
        if found["format"] != VERSION:
            raise ValueError(found["format"])
        return base64.b64decode(found["signature"], validate=True)
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        raise SettingsError(
            "is no signature of this version", where=str(path), do="Sign the report again."
        ) from fault


def _private(path: Path) -> "Ed25519PrivateKey":
    serialization, ed25519 = _cryptography()
    from cryptography.exceptions import UnsupportedAlgorithm

    try:
        key = serialization.load_pem_private_key(
            read_file(path, most=MOST_BYTES, do=KEY), password=None
        )
    except (ValueError, TypeError, UnsupportedAlgorithm) as fault:
        raise _no_key(path, "private") from fault
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise _no_key(path, "private")
    found: Ed25519PrivateKey = key
    return found


def _public(path: Path) -> "Ed25519PublicKey":
    serialization, ed25519 = _cryptography()
    from cryptography.exceptions import UnsupportedAlgorithm

    try:
        key = serialization.load_pem_public_key(read_file(path, most=MOST_BYTES, do=KEY))
    except (ValueError, TypeError, UnsupportedAlgorithm) as fault:
        raise _no_key(path, "public") from fault
    if not isinstance(key, ed25519.Ed25519PublicKey):
        raise _no_key(path, "public")
    found: Ed25519PublicKey = key
    return found


def _no_key(path: Path, kind: str) -> SettingsError:
    return SettingsError(
        f"is no Ed25519 {kind} key in PEM, without a password",
        where=str(path),
        do=KEY,
    )


def _pem(public: "Ed25519PublicKey") -> bytes:
    serialization, _ = _cryptography()
    return public.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def _cryptography() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as fault:
        raise SettingsError(
            "needs the package cryptography",
            where="signatures",
            do="Install it: pip install 'envassay[sign]'.",
        ) from fault
    return serialization, ed25519
