// The list of records. Only the rows in sight exist; the one that the keyboard
// stands on is told to assistive technology as the active descendant.

const list = {
  box: byId("list"), rows: byId("rows"), shown: [], current: -1, height: 52, open: () => {},
};

function rowText(record) {
  const { name, id } = index.items;
  const confidence = confidenceOf(record);
  return {
    first: name[record.item] + "  " + id[record.item],
    second: index.arms[record.arm] + " · " + fateOf(record).words,
    answer: leafOf(record) || "no answer",
    confidence: confidence === null ? "" : "confidence " + confidence.toFixed(2),
  };
}

function rowOf(place) {
  const record = list.shown[place];
  const fate = fateOf(record), text = rowText(record);
  const node = make("div", {
    class: "row", role: "option", id: "row-" + place, "aria-setsize": list.shown.length,
    "aria-posinset": place + 1, "aria-selected": String(place === list.current),
    "aria-label": [text.first, text.second, text.answer, text.confidence].join(", "),
  },
  make("span", { class: "sign is-" + fate.kind, "aria-hidden": "true" }, fate.sign),
  make("span", null, text.first), make("span", { class: "answer" }, text.answer),
  make("span", { class: "under" }, text.second), make("span", { class: "under answer" }, text.confidence));
  node.style.top = place * list.height + "px";
  return node;
}

// Draws the rows in sight and a few beyond.
function drawRows() {
  const first = Math.max(0, Math.floor(list.box.scrollTop / list.height) - 6);
  const last = Math.min(list.shown.length - 1,
    Math.ceil((list.box.scrollTop + list.box.clientHeight) / list.height) + 6);
  const rows = [];
  for (let place = first; place <= last; place += 1) rows.push(rowOf(place));
  list.rows.replaceChildren(...rows);
  const active = byId("row-" + list.current);
  if (active) list.box.setAttribute("aria-activedescendant", active.id);
  else list.box.removeAttribute("aria-activedescendant");
}

function intoSight(place) {
  const top = place * list.height, bottom = top + list.height;
  if (top < list.box.scrollTop) list.box.scrollTop = top;
  if (bottom > list.box.scrollTop + list.box.clientHeight) {
    list.box.scrollTop = bottom - list.box.clientHeight;
  }
}

function moveTo(place) {
  if (list.shown.length === 0) return;
  list.current = Math.max(0, Math.min(list.shown.length - 1, place));
  intoSight(list.current);
  drawRows();
}

// Shows records from the top; the chosen one stays chosen if it is among them.
function showRecords(shown) {
  const before = list.shown[list.current];
  list.shown = shown;
  list.current = before ? shown.indexOf(before) : -1;
  list.rows.style.height = shown.length * list.height + "px";
  list.box.scrollTop = 0;
  if (list.current >= 0) intoSight(list.current);
  drawRows();
}

const page = () => Math.max(1, Math.floor(list.box.clientHeight / list.height) - 1);

const moves = {
  ArrowDown: () => moveTo(list.current + 1),
  ArrowUp: () => moveTo(list.current - 1),
  PageDown: () => moveTo(list.current + page()),
  PageUp: () => moveTo(list.current - page()),
  Home: () => moveTo(0),
  End: () => moveTo(list.shown.length - 1),
  Enter: () => list.shown[list.current] && list.open(list.shown[list.current]),
};
moves[" "] = moves.Enter;

function startList(open) {
  let waiting = false;
  list.open = open;
  list.height = parseFloat(getComputedStyle(document.documentElement).fontSize) * 3.25;
  list.box.addEventListener("scroll", () => {
    if (!waiting) requestAnimationFrame(() => { waiting = false; drawRows(); });
    waiting = true;
  }, { passive: true });
  list.box.addEventListener("keydown", (event) => {
    const move = !event.ctrlKey && !event.metaKey && !event.altKey && moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  });
  list.box.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row) return;
    moveTo(Number(row.id.slice(4)));
    open(list.shown[list.current]);
  });
  new ResizeObserver(drawRows).observe(list.box);
}
