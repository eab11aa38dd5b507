"""Writing of receipts."""

from types import SimpleNamespace

from contest.api.serializers.submissions import ReceiptRow, ReceiptSerializer

__all__ = ["RECEIPT", "ReceiptRow"]

RECEIPT = SimpleNamespace(show=ReceiptSerializer().to_representation)
