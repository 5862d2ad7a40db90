"""Reports in a real browser: `python3 report.py LAKATOS CHROMIUM [FOLDER]`.

The browser is driven by the DevTools protocol over a pipe: keys and clicks are those of a user.
Screenshots go to the folder, if one is given. No package is needed.
"""

import base64
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

BROKEN = """// A text that ends nothing: </script><script>document.title = "broken out"</script>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int total;
const char *text = "</script><img src=x onerror='document.title=1'>";
int add(int n, int again) {
    if (again > 0)
        return add(n, again - 1) + n;
    total += n;
    return total;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 3 || x > 5)
        return 0;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum = add(x, i);
    }
    if (sum > 0)
        reach_error();
    return 0;
}
"""

PROVED = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 0 || n > 1000) return 0;
    while (i < n)
        i++;
    if (i != n) reach_error();
    return 0;
}
"""

REFINED = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int next(int i) {
    return i + 1;
}
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, steps = 0;
    if (n < 0 || n > 1000) return 0;
    while (i < n) {
        i = next(i);
        steps++;
    }
    if (steps > n) reach_error();
    if (i != n) reach_error();
    return 0;
}
"""


def large(functions):
    """More than a thousand lines, and many automata."""
    text = "extern void reach_error(void);\n"
    for number in range(functions):
        call = f"f{number - 1}(n)" if number else "n"
        text += f"int f{number}(int n) {{\n    int r = 0;\n"
        text += f"    for (int i = 0; i < 2; i++) {{\n        if (n > {number})\n"
        text += f"            r += 1;\n        else\n            r -= 1;\n    }}\n"
        text += f"    return r + {call};\n}}\n"
    return text + f"int main(void) {{\n    if (f{functions - 1}(1) != 12345) reach_error();\n}}\n"


class Browser:
    """A browser with one page."""

    def __init__(self, command, profile):
        to_browser, self.out = os.pipe()
        self.answers, from_browser = os.pipe()
        flags = [
            "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={profile}",
        ]
        # The browser reads commands from descriptor 3 and answers on 4.
        shell = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "bash", command, *flags],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.pending, self.number, self.session = b"", 0, None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        self.events = []
        for domain in ["Page", "Runtime", "Log"]:
            self.ask(f"{domain}.enable")

    def read(self):
        while b"\0" not in self.pending:
            part = os.read(self.answers, 1 << 16)
            if not part:
                sys.exit("the browser is gone")
            self.pending += part
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer and self.session:
                self.events.append(answer)

    def open(self, path, width=1440, height=1000, scheme="light"):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.ask("Emulation.setEmulatedMedia", features=[feature])
        # The same page a second time is another one.
        url = f"{pathlib.Path(path).as_uri()}?{self.number}"
        self.events.clear()
        self.ask("Page.navigate", url=url)
        for _ in range(600):
            if self.eval("[location.href, document.readyState]") == [url, "complete"]:
                return self.no_complaints()
            time.sleep(0.05)
        sys.exit(f"{url} is not loaded")

    def no_complaints(self):
        for event in self.events:
            if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded"):
                sys.exit(f"the page complains: {event['params']}")

    def eval(self, expression):
        got = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in got:
            sys.exit(f"{expression}: {got['exceptionDetails']}")
        self.no_complaints()
        return got["result"].get("value")

    def key(self, name):
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36,
                 "End": 35, "Tab": 9, "Enter": 13}
        # A key that does something by itself, like a click, has a character.
        down = {"type": "keyDown", "text": "\r"} if name == "Enter" else {"type": "rawKeyDown"}
        for kind in [down, {"type": "keyUp"}]:
            self.ask("Input.dispatchKeyEvent", **kind, key=name, code=name,
                     windowsVirtualKeyCode=codes[name])

    def click(self, selector):
        box = self.eval(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            " return [b.left + b.width / 2, b.top + b.height / 2]; })()"
        )
        for kind in ["mousePressed", "mouseReleased"]:
            self.ask("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left",
                     clickCount=1, buttons=1)

    def shot(self, folder, name):
        if folder:
            data = self.ask("Page.captureScreenshot", format="png")["data"]
            (pathlib.Path(folder) / name).write_bytes(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        # Its helpers may outlive it, and would still write into the profile.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got!r}, and not {wanted!r}")


def text(browser, selector):
    return browser.eval(f"document.querySelector({json.dumps(selector)}).textContent")


def texts(browser, selector):
    return browser.eval(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")


def lines(browser, name):
    return browser.eval(f"[...document.querySelectorAll('.row.{name}')].map(e => e.id)")


def place(browser):
    """Which step is shown, of how many."""
    return [int(number) for number in text(browser, ".stepper .count").split("/")]


def check_stepper(browser, folder):
    """Keys, buttons, the slider, the gutter; values, calls and lines go with them."""
    _, last = place(browser)
    expect("it begins at the violation", place(browser)[0], last)
    expect("the line of the violation", lines(browser, "broken"), ["L21"])
    expect("in words", text(browser, "p.now"), "`reach_error` is called")
    browser.key("Home")
    expect("Home", (place(browser)[0], lines(browser, "now")), (1, ["L13"]))
    expect("buttons at the beginning", browser.eval(
        "[...document.querySelectorAll('[data-go]')].map(b => b.disabled)"
    ), [True, True, False, False])
    browser.key("ArrowLeft")
    expect("not before the first step", place(browser)[0], 1)
    expect("the input is the value", texts(browser, ".values tr.changed td"), ["x", "3"])
    # To the third call of `add`, which calls itself twice.
    while len(texts(browser, ".calls li")) < 4 and place(browser)[0] < last:
        browser.key("ArrowRight")
    expect("calls", texts(browser, ".calls li"), ["main:18", "add:8", "add:8", "add:7"])
    expect("lines of calls in progress", lines(browser, "under"), ["L8", "L18"])
    expect("parameters", texts(browser, ".values tr td"), ["n", "3", "again", "0", "total", "6"])
    browser.shot(folder, "stepper.png")
    browser.click(".calls li:first-child button")
    expect("values of a call further out", texts(browser, ".values tr td")[:6],
           ["x", "3", "sum", "9", "i", "2"])
    browser.key("ArrowRight")
    expect("what changed", texts(browser, ".values tr.changed td"), ["total", "69"])
    expect("the old value", texts(browser, ".values .was"), ["6"])
    values = browser.eval("document.querySelector('.row.now').dataset.values")
    expect("values beside the line", values, "total = 9")
    lit = browser.eval("[...document.querySelectorAll('#automata .lit')].map(e => e.dataset.line)")
    expect("the automaton shows the line", set(lit), {"9"})
    before = place(browser)[0]
    browser.click('.stepper [data-go="back"]')
    expect("the button back", place(browser)[0], before - 1)
    browser.click('.stepper [data-go="last"]')
    expect("the button to the end", place(browser)[0], last)
    browser.click("#L13 .no")
    expect("a click on a line that was passed", (place(browser)[0], lines(browser, "now")), (1, ["L13"]))
    browser.eval("(() => { const r = document.querySelector('.stepper input');"
                 f" r.value = {last - 1}; r.dispatchEvent(new Event('input')); }})()")
    expect("the slider", place(browser)[0], last)
    browser.click(".around li:first-child")
    expect("a click in the list of steps", place(browser)[0], last - 9)
    browser.key("End")
    expect("End", (place(browser)[0], lines(browser, "broken")), (last, ["L21"]))


def check_broken(browser, page, folder):
    browser.open(page)
    browser.shot(folder, "refuted.png")
    expect("the title is ours", browser.eval("document.title"), "broken.c: refuted")
    expect("no element of the program", browser.eval("document.images.length"), 0)
    expect("no script of the program", browser.eval("document.scripts.length"), 2)
    source = browser.eval("[...document.querySelectorAll('.row code')].map(e => e.textContent).join('\\n') + '\\n'")
    expect("the source is the source", source, BROKEN)
    check_stepper(browser, folder)
    # Another property: its notes, not those of the first.
    browser.click("#tab-1")
    expect("the chosen answer", browser.eval("[...document.querySelectorAll('.answer')].map(a => a.hidden)"),
           [True, False, True, True])
    expect("no line of the run", lines(browser, "broken"), [])
    browser.key("Home")
    browser.click("#tab-0")
    expect("the stepper is where it was", lines(browser, "broken"), ["L21"])
    # From the automaton to the source, larger and smaller.
    browser.eval("document.querySelector('details[data-function=main]').open = true")
    browser.click('details[data-function=main] [data-line="16"]')
    expect("from the automaton to the line", lines(browser, "found"), ["L16"])
    width = "Number(document.querySelector('details[data-function=main] svg').getAttribute('width'))"
    before = browser.eval(width)
    browser.click('details[data-function=main] [data-zoom="in"]')
    after = browser.eval(width)
    if not before < after < 1.5 * before:
        sys.exit(f"zoom: {before} became {after}")


def check_proved(browser, page, folder):
    browser.open(page)
    browser.shot(folder, "proved.png")
    note = browser.eval("document.getElementById('L6').previousElementSibling.textContent.trim()")
    if not note.startswith("loop invariant"):
        sys.exit(f"no invariant above the loop: {note!r}")
    if browser.eval("document.querySelectorAll('.answer .drawing svg').length") < 1:
        sys.exit("no reachability graph")
    browser.click(".said a.there")
    expect("from the list to the loop", lines(browser, "found"), ["L6"])


def check_timeline(browser, page, folder):
    """Clicks and keys on refinements: what they taught stands beside the lines."""
    browser.open(page)
    count = browser.eval("document.querySelectorAll('.timeline .refined').length")
    if count < 2:
        sys.exit(f"only {count} refinements")
    # Tab leads to one line of the timeline only, arrows from one to the next.
    stops = "[...document.querySelectorAll('.timeline summary')].map(e => e.tabIndex)"
    expect("one stop for Tab", browser.eval(stops), [0] + [-1] * (count - 1))
    opened = "[...document.querySelectorAll('.timeline details')].map(e => e.open)"
    browser.eval("document.querySelector('.timeline summary').focus()")
    browser.key("ArrowUp")
    browser.key("ArrowDown")
    expect("an arrow leads on", browser.eval(stops), [-1, 0] + [-1] * (count - 2))
    browser.key("ArrowUp")
    browser.key("Enter")
    expect("Enter opens", browser.eval(opened), [True] + [False] * (count - 1))
    check_lesson(browser, 0)
    browser.shot(folder, "timeline.png")
    browser.click(".timeline .refined summary")
    expect("a click closes", browser.eval(opened), [False] * count)
    expect("no lesson is shown", lines(browser, "learned"), [])
    browser.click(".timeline .bars a:nth-of-type(2)")
    expect("a bar opens its line", browser.eval(opened), [False, True] + [False] * (count - 2))
    check_lesson(browser, 1)
    link = ".timeline .refined:nth-of-type(2) .learned a.there"
    line = browser.eval(f"document.querySelector('{link}').getAttribute('href').slice(1)")
    browser.click(link)
    expect("from a lesson to its line", lines(browser, "found"), [line])


def check_lesson(browser, number):
    """The lines of a refinement are those that are marked, with its words beside."""
    said = browser.eval(
        f"[...document.querySelectorAll('.timeline .refined')[{number}].querySelectorAll('.learned li')]"
        ".flatMap(e => [...e.querySelectorAll('a.there')].map(a =>"
        " [a.getAttribute('href').slice(1), e.querySelector('.what').textContent]))"
    )
    if not said:
        sys.exit(f"refinement {number} taught nothing")
    marked = sorted({line for line, _ in said}, key=lambda line: int(line[1:]))
    expect("lines with lessons", lines(browser, "learned"), marked)
    for line in marked:
        words = ", ".join(text for at, text in said if at == line)
        expect(f"words at {line}", browser.eval(f"document.getElementById('{line}').dataset.values"), words)


def check_engines(browser, page, folder):
    """Who was asked, and who answered."""
    browser.open(page)
    browser.shot(folder, "engines.png")
    answered = texts(browser, ".asked .answered b")
    expect("one engine has answered", len(answered), 1)
    ends = texts(browser, ".events .turn.answered")
    expect("the end of the timeline", ends, [f"{answered[0]} gave the answer"])
    first = text(browser, ".events .turn")
    expect("the first turn", first.endswith(" turn 1"), True)


def check_dark_and_narrow(browser, page, folder):
    light = "getComputedStyle(document.body).backgroundColor"
    browser.open(page, scheme="light")
    day = browser.eval(light)
    browser.open(page, scheme="dark")
    browser.shot(folder, "dark.png")
    night = browser.eval(light)
    if day == night:
        sys.exit(f"light and dark are the same: {day}")
    browser.open(page, width=480, height=900)
    browser.shot(folder, "narrow.png")
    wide = browser.eval("document.documentElement.scrollWidth")
    if wide > 480:
        sys.exit(f"a narrow page is {wide} wide")


def check_large(browser, page, folder):
    browser.open(page)
    browser.shot(folder, "large.png")
    rows = browser.eval("document.querySelectorAll('.row').length")
    if rows < 1000:
        sys.exit(f"only {rows} lines")
    _, last = place(browser)
    for _ in range(20):
        browser.key("ArrowLeft")
    expect("steps of a long run", place(browser)[0], last - 20)
    seen = browser.eval("(() => { const r = document.querySelector('.row.now').getBoundingClientRect();"
                        " return r.top > 0 && r.bottom < innerHeight; })()")
    expect("the line is in sight", seen, True)
    expect("automata are closed", browser.eval("document.querySelectorAll('#automata details[open]').length") <= 1, True)


def report(lakatos, folder, name, program, *flags, engine=("--engine", "cegar")):
    """Only single engines have a graph to show."""
    source, page = folder / f"{name}.c", folder / f"{name}.html"
    source.write_text(program)
    command = [lakatos, "verify", "--quiet", "--report", page.name, *engine, *flags, source.name]
    code = subprocess.run(command, cwd=folder).returncode
    if code not in (0, 1):
        sys.exit(f"{command} ends with {code}")
    return page


def main():
    lakatos, chromium = os.path.abspath(sys.argv[1]), sys.argv[2]
    shots = sys.argv[3] if len(sys.argv) > 3 else None
    # A helper that ends slowly may leave a file behind: that is no failure of a report.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        several = ["unreach-call", "no-overflow", "div-by-zero", "array-bounds"]
        several = [word for name in several for word in ("--property", name)]
        broken = report(lakatos, folder, "broken", BROKEN, *several)
        proved = report(lakatos, folder, "proved", PROVED)
        many = report(lakatos, folder, "large", large(110))
        learning = ["--domain", "predicate", "--no-probe"]
        refined = report(lakatos, folder, "refined", REFINED, *learning)
        asked = report(lakatos, folder, "asked", PROVED, engine=["--jobs", "1"])
        browser = Browser(chromium, folder / "profile")
        try:
            check_broken(browser, broken, shots)
            check_proved(browser, proved, shots)
            check_timeline(browser, refined, shots)
            check_engines(browser, asked, shots)
            check_dark_and_narrow(browser, broken, shots)
            check_dark_and_narrow(browser, refined, shots)
            check_large(browser, many, shots)
        finally:
            browser.close()
    print("reports work in the browser")


if __name__ == "__main__":
    main()
