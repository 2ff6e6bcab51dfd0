import unittest

from invoice import total


class InvoiceTest(unittest.TestCase):
    def test_three_dimes_are_thirty_cents(self):
        self.assertEqual(total([("0.10", 3)]), 30)


if __name__ == "__main__":
    unittest.main()
