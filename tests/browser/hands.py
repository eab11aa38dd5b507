"""A visitor's hands: the mouse on every board, every option chosen, buttons pressed in pairs."""

BOARDS = "[data-board], .lab-board svg"
PRESSING = """async () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve));
  for (const select of document.querySelectorAll("main select")) {
    for (const option of [...select.options].reverse()) {
      option.selected = true;
      select.dispatchEvent(new Event("change", { bubbles: true }));
      await pause();
    }
  }
  const buttons = [...document.querySelectorAll("main .lab-hands button")];
  for (const first of buttons) {
    for (const second of buttons) {
      for (const button of [first, second]) {
        button.click();
        await pause();
      }
    }
  }
}"""


def move_over_boards(page):
    """Move the mouse over every visible board: to its middle, then to a corner."""
    for board in page.query_selector_all(BOARDS):
        if board.is_visible():
            board.scroll_into_view_if_needed()
            box = board.bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.mouse.move(box["x"] + 2, box["y"] + 2)


def choose_and_press(page):
    """Choose every option of every select, the first last, and press each button of the lab after each other one."""
    page.evaluate(PRESSING)
