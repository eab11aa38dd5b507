"""Names of countries, which django-countries translates (rule 4.6)."""

from babel import Locale
from django.utils.translation import override
from django_countries import countries

# Names that differ from CLDR on purpose: China's own usage.
OWN = {"FK", "HK", "MO", "PM", "PS"}


def test_countries_have_the_chinese_names_of_cldr():
    names = Locale("zh").territories
    with override("zh-hans"):
        odd = {code: name for code, name in countries if code not in OWN and names.get(code, name) != name}
    assert odd == {}
