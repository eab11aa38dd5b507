"""Formulas as plain text in one line, for summaries, feeds and messages, which have no MathML."""

import re
from html import unescape
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

_RAISED = str.maketrans("0123456789+-−=()ni′*∘", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ′*°")
_LOWERED = str.maketrans("0123456789+-−=()aeoxijkmnt", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓᵢⱼₖₘₙₜ")
_ACCENTS = {"^": "\u0302", "~": "\u0303", "¯": "\u0304", "→": "\u20d7", "˙": "\u0307"}
_WIDE = set("=≠≈≡<>≤≥+−±×⋅·÷∈∉⊂⊆∪∩→⇒⇔")
# A sign without a left operand.
_ALONE = re.compile(r"(^|[(\[{,;/√]) *([−+±]) ")


def plain_formula(formula: str) -> str:
    """Return *formula*, written in TeX, as plain text; unchanged if it cannot be parsed.

    >>> plain_formula("2^{12} - x_1")
    '2¹² − x₁'
    >>> plain_formula(r"\\frac{a+b}{2} \\le \\sqrt{n^2+1}")
    '(a + b)/2 ≤ √(n² + 1)'
    """
    try:
        root = convert_to_element(formula)
    except Exception:  # any exception of latex2mathml for an invalid formula
        return formula
    return _ALONE.sub(r"\1\2", " ".join(_read(root).split()))


def _read(node: Element) -> str:
    parts = [_read(child) for child in node]
    match node.tag.rpartition("}")[2], parts:
        case "mover", [base, over] if over.strip() in _ACCENTS:
            return base + _ACCENTS[over.strip()]
        case "msup" | "mover", [base, over]:
            return base + _shift(over, _RAISED, "^")
        case "msub" | "munder", [base, under]:
            return base + _shift(under, _LOWERED, "_")
        case "msubsup" | "munderover", [base, under, over]:
            return base + _shift(under, _LOWERED, "_") + _shift(over, _RAISED, "^")
        case "mfrac", [above, below]:
            return f"{_bracket(above)}/{_bracket(below)}"
        case "msqrt", _:
            return "√" + _bracket("".join(parts))
        case "mroot", [base, root]:
            return _shift(root, _RAISED, "") + "√" + _bracket(base)
        case "mtable", _:
            return "; ".join(parts)
        case "mtr", _:
            return ", ".join(parts)
        case "mspace", _:
            return " "
    text = unescape(node.text or "") + "".join(parts)
    is_apart = text in _WIDE or (node.tag.endswith("mi") and len(text) > 1)
    return f" {text} " if is_apart else text


def _shift(text: str, letters: dict[int, int], sign: str) -> str:
    """Return *text* in superscript or subscript letters if all exist, else after *sign*."""
    text = text.replace(" ", "")
    if all(ord(letter) in letters for letter in text):
        return text.translate(letters)
    return sign + _bracket(text)


def _bracket(text: str) -> str:
    text = text.strip()
    return text if len(text) == 1 or text.isalnum() else f"({text})"
