"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const lineAt = (number) => document.getElementById("L" + number);
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const reveal = (element) => {
    if (!element) return;
    const pane = document.getElementById("source");
    const top = element.offsetTop - pane.offsetTop;
    const margin = Math.min(80, pane.clientHeight / 4);
    if (top < pane.scrollTop + margin || top > pane.scrollTop + pane.clientHeight - 2 * margin) {
      pane.scrollTop = Math.max(0, top - pane.clientHeight / 3);
    }
  };

  // Lines of the source and places of drawings know each other.
  const light = (line, name) => {
    all(".drawing .lit").forEach((element) => element.classList.remove("lit"));
    if (line === null || line === undefined) return;
    const panels = name === undefined ? all("#automata details") :
      all("#automata details").filter((panel) => panel.dataset.function === name);
    for (const panel of panels) {
      const lit = all(`[data-line="${line}"]`, panel);
      lit.forEach((element) => element.classList.add("lit"));
      if (panel.open && lit.length) center(lit[0]);
    }
  };
  const center = (element) => {
    const frame = element.closest(".drawing");
    const [inner, outer] = [element.getBoundingClientRect(), frame.getBoundingClientRect()];
    const outside = inner.top < outer.top || inner.bottom > outer.bottom ||
      inner.left < outer.left || inner.right > outer.right;
    if (!outside) return;
    frame.scrollTop += inner.top - outer.top - outer.height / 2;
    frame.scrollLeft += inner.left - outer.left - outer.width / 2 + inner.width / 2;
  };
  const find = (number) => {
    all(".row.found").forEach((line) => line.classList.remove("found"));
    const line = lineAt(number);
    if (!line) return;
    line.classList.add("found");
    reveal(line);
    light(number);
  };

  // A run: what is known after each of its steps.
  class Stepper {
    constructor(root, run) {
      this.root = root;
      this.run = run;
      this.at = 0;
      this.last = run.steps.length;
      const part = (selector) => root.querySelector(selector);
      this.parts = {
        range: part("input"), count: part(".count"), now: part("p.now"),
        values: part(".values"), calls: part(".calls"), around: part(".around"),
      };
      this.parts.range.max = this.last;
      this.parts.range.addEventListener("input", () => this.go(Number(this.parts.range.value)));
      for (const button of all("[data-go]", root)) {
        button.addEventListener("click", () => this.move(button.dataset.go));
      }
      this.byLine = new Map();
      run.steps.forEach((step, number) => {
        if (step.line === null) return;
        if (!this.byLine.has(step.line)) this.byLine.set(step.line, []);
        this.byLine.get(step.line).push(number);
      });
    }

    move(where) {
      const to = { first: 0, back: this.at - 1, next: this.at + 1, last: this.last };
      this.go(to[where]);
    }

    // To the next time that a line is reached, from the beginning if there is none.
    visit(line) {
      const steps = this.byLine.get(line);
      if (!steps) return false;
      this.go(steps.find((number) => number > this.at) ?? steps[0]);
      return true;
    }

    go(number) {
      this.at = Math.max(0, Math.min(this.last, number));
      this.frame = null;
      this.show();
    }

    // The values of a call further out.
    look(number, frame) {
      this.frame = number;
      this.show();
      if (frame.line !== null) reveal(lineAt(frame.line));
    }

    // Frames with their variables, after the step that is shown.
    state() {
      let frames = [];
      let globals = new Map();
      let parameters = new Map();
      let transient = [];
      for (let number = 0; number <= Math.min(this.at, this.last - 1); number++) {
        const step = this.run.steps[number];
        if (step.omitted) {
          // What happened meanwhile is not known.
          frames = this.run.stack.map((name) => ({ name, line: null, values: new Map() }));
          globals = new Map();
          parameters = new Map();
        }
        frames.length = Math.min(frames.length, step.depth + 1);
        while (frames.length < step.depth + 1) {
          frames.push({ name: step.function, line: null, values: parameters });
          parameters = new Map();
        }
        const frame = frames[step.depth];
        frame.line = step.line;
        const current = number === this.at;
        transient = [];
        for (const [name, value, scope] of step.set) {
          if (scope === "memory" || scope === "result") {
            transient.push({ name, value });
            continue;
          }
          const place = { local: frame.values, global: globals, parameter: parameters }[scope];
          const was = place.get(name);
          place.set(name, { value, was: was?.value, changed: current });
        }
      }
      if (this.at === this.last) transient = [];
      return { frames, globals, parameters, transient };
    }

    show() {
      const step = this.run.steps[this.at];
      const end = this.run.violation;
      const line = step ? step.line : end.line;
      const { parts } = this;
      parts.range.value = this.at;
      parts.count.textContent = `${this.at + 1} / ${this.last + 1}`;
      parts.now.textContent = this.words(step);
      this.root.querySelector('[data-go="back"]').disabled = this.at === 0;
      this.root.querySelector('[data-go="first"]').disabled = this.at === 0;
      this.root.querySelector('[data-go="next"]').disabled = this.at === this.last;
      this.root.querySelector('[data-go="last"]').disabled = this.at === this.last;
      const state = this.state();
      this.showValues(state);
      this.showCalls(state.frames);
      this.showAround();
      this.showSource(line, step, state.frames);
      light(line, step ? step.function : undefined);
    }

    words(step) {
      if (!step) return this.run.violation.message;
      const place = step.line === null ? step.elsewhere : `line ${step.line}`;
      const gap = step.omitted ? `After ${step.omitted} steps that are left out: ` : "";
      const doing = { call: "calls a function", return: "returns", result: "gets a result", step: "" };
      const rest = doing[step.event] ? ` ${doing[step.event]}` : "";
      return `${gap}${step.function} at ${place}${rest}`;
    }

    showValues({ frames, globals, parameters, transient }) {
      this.parts.values.replaceChildren();
      const top = frames[this.frame ?? frames.length - 1];
      if (transient.length) {
        const changed = new Map(transient.map(({ name, value }) => [name, { value, changed: true }]));
        this.table("in this step", changed);
      }
      if (parameters.size) this.table("given to the call", parameters);
      if (top) this.table(top.name, top.values);
      this.table("globals", globals);
    }

    table(title, values) {
      if (!values.size) return;
      const table = make("table");
      table.append(make("caption", title));
      for (const [name, { value, was, changed }] of values) {
        const row = make("tr", undefined, changed ? "changed" : "");
        const cell = make("td");
        if (changed && was !== undefined && was !== value) cell.append(make("span", was, "was"));
        cell.append(value);
        row.append(make("td", name), cell);
        table.append(row);
      }
      this.parts.values.append(table);
    }

    showCalls(frames) {
      const chosen = this.frame ?? frames.length - 1;
      const rows = [];
      frames.forEach((frame, number) => {
        const hidden = frames.length > 60 && number >= 20 && number < frames.length - 39;
        if (hidden && number === 20) rows.push(make("li", `… ${frames.length - 59} more …`));
        if (hidden) return;
        const row = make("li");
        row.value = number + 1;
        const text = frame.line === null ? frame.name : `${frame.name}:${frame.line}`;
        const button = make("button", text, "call");
        if (number === chosen) row.setAttribute("aria-current", "true");
        button.addEventListener("click", () => this.look(number, frame));
        row.append(button);
        rows.push(row);
      });
      this.parts.calls.replaceChildren(...rows);
      this.parts.calls.scrollTop = this.parts.calls.scrollHeight;
    }

    showAround() {
      const from = Math.max(0, Math.min(this.at - 4, this.last - 9));
      const rows = [];
      for (let number = from; number <= Math.min(from + 9, this.last); number++) {
        const step = this.run.steps[number];
        const row = make("li");
        const where = step ? `${step.function}:${step.line ?? "…"}` : "violation";
        row.append(make("span", " ".repeat(step ? Math.min(step.depth, 12) : 0) + where, "where"));
        row.append(make("span", step ? valuesOf(step) : this.run.violation.message));
        if (number === this.at) row.setAttribute("aria-current", "step");
        row.addEventListener("click", () => this.go(number));
        rows.push(row);
      }
      this.parts.around.replaceChildren(...rows);
    }

    showSource(line, step, frames) {
      clearSource(["now", "under", "broken", "learned"]);
      all(".row[data-values]").forEach((element) => element.removeAttribute("data-values"));
      frames.slice(0, -1).forEach((frame) => lineAt(frame.line)?.classList.add("under"));
      const element = line === null ? null : lineAt(line);
      if (!element) return;
      element.classList.add(step ? "now" : "broken");
      if (step && step.set.length) element.dataset.values = valuesOf(step);
      reveal(element);
    }

    enter() {
      for (const line of this.byLine.keys()) lineAt(line)?.classList.add("visited");
      this.show();
    }
  }
  const valuesOf = (step) => step.set.map(([name, value]) => `${name} = ${value}`).join(", ");
  const clearSource = (names) => {
    for (const name of names) {
      all(`.row.${name}`).forEach((line) => line.classList.remove(name));
    }
  };

  const steppers = data.runs.map((run, number) => {
    const root = document.querySelector(`.stepper[data-property="${number}"]`);
    return run && root ? new Stepper(root, run) : null;
  });
  steppers.forEach((stepper) => stepper?.go(stepper.last));
  let chosen = 0;
  const choose = (number) => {
    chosen = number;
    for (const tab of all(".chip[data-property]")) {
      tab.setAttribute("aria-selected", String(Number(tab.dataset.property) === number));
    }
    for (const answer of all(".answer")) answer.hidden = Number(answer.dataset.property) !== number;
    for (const note of all(".note[data-of]")) note.hidden = Number(note.dataset.of) !== number;
    clearSource(["now", "under", "broken", "visited", "found", "learned"]);
    all(".row[data-values]").forEach((element) => element.removeAttribute("data-values"));
    light(null);
    steppers[number]?.enter();
  };
  const tabs = all(".chip[data-property]");
  tabs.forEach((tab) => tab.addEventListener("click", () => choose(Number(tab.dataset.property))));

  const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const stepper = steppers[chosen];
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!stepper || !plain || !(event.key in keys)) return;
    event.preventDefault();
    stepper.move(keys[event.key]);
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#L"]');
    if (link) {
      event.preventDefault();
      const number = Number(link.getAttribute("href").slice(2));
      const gutter = link.classList.contains("no");
      if (!(gutter && steppers[chosen]?.visit(number))) find(number);
      return;
    }
    const place = event.target.closest(".drawing [data-line]");
    if (place) find(Number(place.dataset.line));
  });

  // Timelines: what the refinement that is opened has taught stands beside its lines.
  class Timeline {
    constructor(root) {
      this.root = root;
      this.lines = all("summary", root);
      this.lines.forEach((summary, number) => {
        summary.tabIndex = number === 0 ? 0 : -1;
        summary.addEventListener("click", () => this.show(number, !summary.parentElement.open));
        summary.addEventListener("keydown", (event) => this.key(event, number));
      });
      for (const bar of all(".bars a", root)) {
        bar.addEventListener("click", (event) => {
          event.preventDefault();
          const number = this.lines.indexOf(document.querySelector(`${bar.getAttribute("href")} summary`));
          this.lines[number].parentElement.open = true;
          this.focus(number);
          this.show(number, true);
        });
      }
    }

    key(event, number) {
      const to = { ArrowDown: number + 1, ArrowUp: number - 1 }[event.key];
      if (to === undefined || !this.lines[to]) return;
      event.preventDefault();
      this.focus(to);
    }

    // Only one line is reached by Tab; from there arrows lead on.
    focus(number) {
      this.lines.forEach((summary, at) => { summary.tabIndex = at === number ? 0 : -1; });
      this.lines[number].focus();
    }

    show(number, opened) {
      clearSource(["learned", "found"]);
      all(".row[data-values]").forEach((element) => element.removeAttribute("data-values"));
      all("[aria-current]", this.root).forEach((element) => element.removeAttribute("aria-current"));
      if (!opened) return;
      const item = this.lines[number].closest("li");
      item.setAttribute("aria-current", "true");
      this.root.querySelector(`.bars a[href="#${item.id}"]`)?.setAttribute("aria-current", "true");
      const said = new Map();
      for (const lesson of all(".learned li", item)) {
        for (const link of all('a[href^="#L"]', lesson)) {
          const line = Number(link.getAttribute("href").slice(2));
          if (!said.has(line)) said.set(line, []);
          said.get(line).push(lesson.querySelector(".what").textContent);
        }
      }
      for (const [line, texts] of said) {
        const element = lineAt(line);
        if (!element) continue;
        element.classList.add("learned");
        element.dataset.values = texts.join(", ");
      }
      const lines = [...said.keys()];
      if (lines.length) reveal(lineAt(Math.min(...lines)));
    }
  }
  all(".timeline").forEach((root) => new Timeline(root));

  // Drawings: larger, smaller, dragged.
  const zoom = (frame, factor) => {
    const svg = frame.querySelector("svg");
    const { width, height } = svg.viewBox.baseVal;
    const now = svg.getBoundingClientRect().width / width || 1;
    const scale = factor === null ? Math.min(1, (frame.clientWidth - 2) / width) : now * factor;
    const bounded = Math.max(0.05, Math.min(4, scale));
    svg.setAttribute("width", Math.round(width * bounded));
    svg.setAttribute("height", Math.round(height * bounded));
  };
  for (const graph of all("details.graph")) {
    const frame = graph.querySelector(".drawing");
    const factors = { in: 1.25, out: 0.8, fit: null };
    for (const button of all("[data-zoom]", graph)) {
      button.addEventListener("click", () => zoom(frame, factors[button.dataset.zoom]));
    }
    let fitted = false;
    const fit = () => {
      if (!graph.open || fitted) return;
      fitted = true;
      zoom(frame, null);
    };
    graph.addEventListener("toggle", fit);
    fit();
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(frame, event.deltaY < 0 ? 1.1 : 1 / 1.1);
    }, { passive: false });
    let from = null;
    frame.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX + frame.scrollLeft, y: event.clientY + frame.scrollTop };
    });
    frame.addEventListener("pointermove", (event) => {
      if (!from || !(event.buttons & 1)) return;
      frame.classList.add("dragged");
      frame.scrollLeft = from.x - event.clientX;
      frame.scrollTop = from.y - event.clientY;
    });
    for (const name of ["pointerup", "pointerleave"]) {
      frame.addEventListener(name, () => { from = null; frame.classList.remove("dragged"); });
    }
  }

  const first = tabs.find((tab) => tab.getAttribute("aria-selected") === "true");
  if (first) choose(Number(first.dataset.property));
  const wanted = /^#L(\d+)$/.exec(location.hash);
  if (wanted) find(Number(wanted[1]));
})();
