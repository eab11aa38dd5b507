"""The board on the player's page: a level to play, positions and colours of its squares, and the moves sent from it."""

from playwright.sync_api import expect

from contest.models import Submission

BEND = "#######|#@--.-#|#-$---#|#-----#|#######"
PLAY = "/en/rounds/7/main/play/"
SOLUTION = ("ArrowDown", "ArrowRight", "ArrowRight", "s", "ArrowRight", "w")  # for BEND, with the default keys
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
# Floor and wall colours of a skin in the light and the dark theme.
CLASSIC, CLASSIC_NIGHT = ("#f5eddc", "#7d6753"), ("#2a2b2f", "#807a73")

# Dropped inside the page: a request that Playwright intercepts may already have been sent.
LOSE_ONE_ANSWER = """() => {
    const real = window.fetch;
    window.fetch = async (...asked) => {
        if (asked[1]?.method !== "POST") return real(...asked);
        window.fetch = real;
        await real(...asked);
        throw new TypeError("the answer got lost");
    };
}"""
# This page opens without a network: it and its script are stored.
IS_KEPT = """async () => {
    const script = document.querySelector("script:is([src*='page/main'], [src*='first-steps'])");
    return Boolean(await caches.match(script.src) && await caches.match(location.pathname, { ignoreVary: true }));
}"""
MIDDLE = """([column, row]) => {
    const frame = document.querySelector("[data-board]").getBoundingClientRect();
    const cell = Math.min(112, Math.floor((frame.width - 20) / 7), Math.floor((frame.height - 20) / 5));
    const left = frame.x + 1 + 18 + (frame.width - 2 - 18 - 7 * cell) / 2;
    const top = frame.y + 1 + 18 + (frame.height - 2 - 18 - 5 * cell) / 2;
    return [left + (column + 0.5) * cell, top + (row + 0.5) * cell];
}"""
COLOUR = """([x, y]) => {
    const canvas = document.querySelectorAll("[data-board] canvas")[1];
    const { left, top, width } = canvas.getBoundingClientRect();
    const ratio = canvas.width / width;
    return [...canvas.getContext("2d").getImageData((x - left) * ratio, (y - top) * ratio, 1, 1).data].join();
}"""
HAS_COLOURS = """(wanted) => {
    const canvas = document.querySelector("[data-board] canvas");
    if (!canvas?.width) return false;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const counts = new Map();
    for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] < 255) continue;
        const colour = "#" + [0, 1, 2].map((part) => data[at + part].toString(16).padStart(2, "0")).join("");
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, 6).map(([colour]) => colour);
    return wanted.every((colour) => most.includes(colour));
}"""


def at(page, square):
    return page.evaluate(MIDDLE, [ord(square[0]) - ord("A"), int(square[1:]) - 1])


def colour_at(page, square):
    return page.evaluate(COLOUR, at(page, square))


def wait_for_colours(page, *colours):
    """Wait until *colours* are among the six most frequent of the board: its skin is loaded and drawn."""
    page.wait_for_function(HAS_COLOURS, arg=colours)


def message_line(page):
    return page.locator("[data-says]")


def shown(page, name):
    return page.locator(f'[data-shows="{name}"]')


def solved(page):
    return page.locator("[data-solved]")


def moves_sent(page):
    expect(page.locator("#verdict")).to_contain_text("Solves")
    return bytes(Submission.objects.get().text).decode()
