"""Simulated input: a pointer over every board, every option selected, keys, touch and time."""

from datetime import timedelta

from contest.infra import clock

# Middle and corner of each visible board, in one call: Playwright's mouse needs a dozen calls for each.
MOVING = """() => {
  for (const board of document.querySelectorAll("[data-board], .lab-board svg")) {
    if (!board.checkVisibility()) continue;
    const { left, top, width, height } = board.getBoundingClientRect();
    for (const [clientX, clientY] of [[left + width / 2, top + height / 2], [left + 2, top + 2]]) {
      board.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, pointerType: "mouse", bubbles: true }));
    }
  }
}"""
CHOOSING = """async (isAfterButtons) => {
  for (const button of [null, ...(isAfterButtons ? document.querySelectorAll("main .lab-hands button") : [])]) {
    for (const select of document.querySelectorAll("main select")) {
      for (const option of [...select.options].reverse()) {
        button?.click();
        option.selected = true;
        select.dispatchEvent(new Event("change", { bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
  }
}"""


def move_over_boards(page):
    page.evaluate(MOVING)


def choose_every_option(page, *, after_buttons=False):
    """Select every option of every select, the first last; with *after_buttons* also after each button of the lab."""
    page.evaluate(CHOOSING, after_buttons)


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def finger(page):
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    return touch


def stop_clock(page, at=None):
    """Stop the page's clock at *at* or now; it advances only by `page.clock.run_for`. Open the page afterwards."""
    at = at or clock.now()
    page.clock.install(time=at)
    page.clock.pause_at(at + timedelta(seconds=1))


def wait_until(page, condition, arg=None):
    """Wait until *condition*, an async JavaScript function, returns true: `wait_for_function` does not await it."""
    page.evaluate(
        f"""async (arg) => {{
            for (let left = 1000; !(await ({condition})(arg)); left--) {{
                if (!left) throw new Error("not within half a minute");
                await new Promise((resolve) => setTimeout(resolve, 30));
            }}
        }}""",
        arg,
    )
