"""Which addresses are private by themselves: mail, banks, payment, messengers, sign-in, this machine and its network.

A list knows only what stands in it: what it does not name is recorded like any page. It names the hosts where people
are signed in, not public pages of the same firms, which a search may need.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

PRIVATE_HOSTS = frozenset({
    # Mail.
    "mail.google.com", "outlook.live.com", "outlook.office.com", "outlook.office365.com", "mail.yahoo.com",
    "mail.aol.com", "proton.me", "protonmail.com", "icloud.com", "app.fastmail.com", "mail.zoho.com", "app.tuta.com",
    "mail.tutanota.com", "app.hey.com", "mail.gmx.net", "navigator.gmx.net", "mail.gmx.com", "navigator.web.de",
    "e.mail.ru", "mail.yandex.ru", "mail.yandex.com", "mail.qq.com", "mail.163.com", "mail.126.com", "mail.naver.com",
    # Banks and payment.
    "paypal.com", "venmo.com", "wise.com", "app.revolut.com", "alipay.com", "pay.google.com", "wallet.google.com",
    "dashboard.stripe.com", "online.citi.com", "connect.secure.wellsfargo.com", "kunden.commerzbank.de",
    "meine.deutsche-bank.de",
    # Messengers.
    "web.whatsapp.com", "web.telegram.org", "discord.com", "app.slack.com", "teams.microsoft.com", "teams.live.com",
    "messenger.com", "messages.google.com", "chat.google.com",
    # Accounts, and what only their owner sees.
    "accounts.google.com", "myaccount.google.com", "passwords.google.com", "contacts.google.com",
    "calendar.google.com", "keep.google.com", "photos.google.com", "login.live.com", "account.live.com",
    "login.microsoftonline.com", "account.microsoft.com", "login.yahoo.com", "appleid.apple.com",
})  # fmt: skip
"""Each with all hosts below it."""
_BY_NAME = re.compile(
    r"(?:ebanking|e-banking|netbanking|onlinebanking|online-banking|banking|webmail|login|signin|sign-in|accounts?"
    r"|myaccount|auth|sso)\..+|.+\.bank|secure[\w-]*\.(?:chase|bankofamerica|wellsfargo)\.com"
)
_THIS_MACHINE = re.compile(r"localhost|.+\.localhost|.+\.local|.+\.internal|.+\.home\.arpa")
_SIGN_IN_PATH = re.compile(r"/(?:users?/|accounts?/|auth/|session/)?(?:log-?in|sign[-_]?in|logon)/?", re.IGNORECASE)


def is_private(url: str) -> bool:
    """Tell whether what happens at this web address is private by itself.

    >>> is_private("https://mail.google.com/mail/u/0/"), is_private("https://mail.python.org/archives/")
    (True, False)
    >>> is_private("http://192.168.1.1/"), is_private("https://github.com/login?return_to=%2F")
    (True, True)
    """
    try:
        parts = urlsplit(url)
        host, path = (parts.hostname or "").rstrip("."), parts.path
    except ValueError:
        return True
    labels = host.split(".")
    return (
        any(".".join(labels[start:]) in PRIVATE_HOSTS for start in range(len(labels)))
        or _BY_NAME.fullmatch(host) is not None
        or _THIS_MACHINE.fullmatch(host) is not None
        or _SIGN_IN_PATH.fullmatch(path) is not None
        or _is_near(host)
    )


def _is_near(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return not address.is_global
