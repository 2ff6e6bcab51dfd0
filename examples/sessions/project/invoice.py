"""Amounts of an invoice."""


def total(lines):
    """The sum of price times count over all lines; prices are texts such as "0.10"."""
    return sum(float(price) * count for price, count in lines)
