import pytest

from contest.rendering.math_text import plain_formula


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("2^{12}", "2¹²"),
        (r"\sum_{i=1}^{n} i^2", "∑ᵢ₌₁ⁿi²"),
        (r"\left(\frac{1}{2}\right)^{k+1}", "(1/2)^(k+1)"),
        (r"\frac{-1}{2}", "(−1)/2"),
        (r"-x+(-y)", "−x + (−y)"),
        (r"O(n \log n)", "O(n log n)"),
        (r"\text{moves} \times 3", "moves × 3"),
        (r"\sqrt[3]{a}", "³√a"),
        (r"\hat{x}", "x̂"),
        (r"x'", "x′"),
        ("a<b", "a < b"),
        (r"\begin{matrix}a&b\\c&d\end{matrix}", "a, b; c, d"),
        (r"\frac", r"\frac"),
        ("", ""),
    ],
)
def test_a_formula_is_written_on_one_line(formula, text):
    assert plain_formula(formula) == text
