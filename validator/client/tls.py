"""Whom we trust when a connection is secured."""

import os
import ssl
from functools import cache

import certifi


@cache
def trusting() -> ssl.SSLContext:
    """Return the one TLS context of this process.

    It trusts what the system trusts (SSL_CERT_FILE and SSL_CERT_DIR where they are set), and
    the well-known roots beside it unless those variables name others. Certificates and host
    names are always checked.
    """
    context = ssl.create_default_context()
    if not os.environ.get("SSL_CERT_FILE") and not os.environ.get("SSL_CERT_DIR"):
        context.load_verify_locations(certifi.where())
    return context
