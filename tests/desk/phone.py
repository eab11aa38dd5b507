"""The desk on a phone: pages as they come, their links and forms as they are, and every tap counted."""

from html.parser import HTMLParser
from urllib.parse import urljoin

from django.test import Client

_CHOICE = 2  # a list is opened, and one of it chosen
_FILE = 2  # the button, and the file


class _Page(HTMLParser):
    """The links of a page by their words, and its forms with their fields and buttons."""

    def __init__(self, text: str):
        super().__init__()
        self.links: dict[str, str] = {}
        self.forms: list[dict] = []
        self._words: list[str] | None = None
        self._at: tuple[str, dict] | None = None
        self._select = ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.forms.append({"action": given.get("action", ""), "fields": {}, "ticks": set(), "buttons": {}})
            self.forms[-1]["choices"] = {}
        if tag in ("a", "button"):
            self._words, self._at = [], (tag, given)
        if not self.forms:
            return
        form, name = self.forms[-1], given.get("name", "")
        if tag == "select":
            self._select = name
            form["choices"][name] = []
        elif tag == "option":
            value = given.get("value") or ""
            form["choices"][self._select].append(value)
            if "selected" in given or self._select not in form["fields"]:
                form["fields"][self._select] = [value]
        elif tag == "input" and given.get("type") == "checkbox":
            form["ticks"].add((name, given.get("value", "on")))
            if "checked" in given:
                form["fields"].setdefault(name, []).append(given.get("value", "on"))
        elif tag in ("input", "textarea") and name:
            form["fields"].setdefault(name, []).append(given.get("value") or "")

    def handle_data(self, data):
        if self._words is not None:
            self._words.append(data)

    def handle_endtag(self, tag):
        if self._at is None or tag != self._at[0]:
            return
        words, given = " ".join("".join(self._words).split()), self._at[1]
        if tag == "a":
            self.links.setdefault(words, given.get("href", ""))
        elif self.forms:
            self.forms[-1]["buttons"][words] = (given.get("name", ""), given.get("value", ""))
        self._words = self._at = None


class Phone:
    """Somebody's phone; what is not on the page cannot be tapped."""

    def __init__(self, client: Client, address: str):
        self.client, self.taps = client, 0
        self._show(client.get(address))

    def follow(self, words: str) -> None:
        self.taps += 1
        self._show(self.client.get(urljoin(self.address, self.page.links[words]), follow=True))

    def tick(self, name: str, value: object) -> None:
        self.taps += 1
        form = next(form for form in self.page.forms if (name, str(value)) in form["ticks"])
        form["fields"].setdefault(name, []).append(str(value))

    def choose(self, name: str, value: object) -> None:
        self.taps += _CHOICE
        form = next(form for form in self.page.forms if str(value) in form["choices"].get(name, []))
        form["fields"][name] = [str(value)]

    def attach(self, name: str, file: object) -> None:
        self.taps += _FILE
        form = next(form for form in self.page.forms if name in form["fields"])
        form["fields"][name] = [file]

    def chosen(self, name: str) -> list[str]:
        """What a field says before anybody touches it."""
        return next(form["fields"][name] for form in self.page.forms if name in form["choices"])

    def press(self, words: str) -> None:
        self.taps += 1
        form = next(form for form in self.page.forms if words in form["buttons"])
        name, value = form["buttons"][words]
        sent = {**form["fields"], **({name: [value]} if name else {})}
        sent = {field: values for field, values in sent.items() if values != [""] or field != "file"}
        self._show(self.client.post(urljoin(self.address, form["action"]), sent, follow=True))

    def _show(self, answer) -> None:
        assert answer.status_code == 200, answer.status_code
        self.address = answer.request["PATH_INFO"] + (f"?{query}" if (query := answer.request["QUERY_STRING"]) else "")
        self.text = answer.content.decode()
        self.page = _Page(self.text)
