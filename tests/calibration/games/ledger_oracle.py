"""Knows how each voucher is booked."""

from collections.abc import Mapping
from typing import Any

VOUCHERS = (
    ("Paid 12.50 in cash for flour.", "stock", "cash", 1250),
    ("Wages of March, 2400.00, by transfer.", "wages", "bank", 240_000),
    ("Sold bread for 86.20, paid in cash.", "cash", "sales", 8620),
    ("Rent of the shop, 950.00, by transfer.", "rent", "bank", 95_000),
    ("Brought 300.00 from the till to the bank.", "bank", "cash", 30_000),
    ("A cafe paid 410.75 for rolls by transfer.", "bank", "sales", 41_075),
    ("Fetched 150.00 of change from the bank.", "cash", "bank", 15_000),
    ("Salt and yeast, 31.05, by transfer.", "stock", "bank", 3105),
    ("Paid the holiday help 60.00 in cash.", "wages", "cash", 6000),
    ("Half a day at the market hall, 45.00 in cash.", "rent", "cash", 4500),
    ("Sold old trays from the store room for 20.00 in cash.", "cash", "stock", 2000),
    ("Gave a wholesaler back 75.40 of sugar, paid by transfer.", "bank", "stock", 7540),
)


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the booking of the voucher that is shown."""
    return next(
        {"debit": debit, "credit": credit, "cents": cents}
        for text, debit, credit, cents in VOUCHERS
        if text == observation["text"]
    )
