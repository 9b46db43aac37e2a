// One record in full: what was asked, what came back, what was made of it.

const detail = { box: byId("detail"), shown: null };

const heading = (words) => make("h4", null, words);
const block = (text, attributes) => make("pre", attributes, visible(text));
const share = (value) => value === null || value === undefined ? "-" : Number(value).toFixed(2);

function goldLine(item, names) {
  return make("p", null, "Labels: ", ...goldOf(item).flatMap((ec, i) =>
    [i > 0 ? ", " : "", make("strong", null, ec), names.get(ec) ? " " + visible(names.get(ec)) : ""]));
}

function fateLine(record, run) {
  const fate = fateOf(record);
  const more = [index.outcomes[outcomeOf(record)], run.message].filter(Boolean).map(visible);
  const confidence = confidenceOf(record);
  if (confidence !== null) more.push("confidence " + confidence);
  if (run.share !== null) more.push("winning share " + share(run.share));
  return make("p", null, make("strong", { class: "is-" + fate.kind }, fate.sign + " " + fate.words),
    " (" + more.join(", ") + ")");
}

// Whether a node is on the path of a label.
function onGold(node, level, item) {
  const prefix = (ec) => ec.split(".").slice(0, level).join(".");
  return goldOf(item).some((ec) => prefix(ec) === prefix(node));
}

function pathTable(record, run, names) {
  if (run.path.length === 0) return make("p", null, "Nothing was committed.");
  return table(["level", "node", "", "name", "confidence"], run.path.map((node, i) => {
    const right = onGold(node, i + 1, record.item);
    return ["L" + (i + 1), node,
      make("span", { class: right ? "is-right" : "is-wrong" }, right ? "✓ right" : "✗ wrong"),
      names.get(node) || "", share(run.confidences[i])];
  }), { class: "path" });
}

function otherRuns(record, item) {
  const rows = records.filter((other) => other.item === record.item && other !== record);
  if (rows.length === 0) return [];
  return [heading("The same item elsewhere"),
    table(["setting", "answer", "outcome"], rows.map((other) => {
      const link = make("button", { type: "button", class: "other" }, index.arms[other.arm]);
      link.addEventListener("click", () => openRecord(other));
      const fate = fateOf(other);
      return [link, leafOf(other) || "none",
        make("span", { class: "is-" + fate.kind }, fate.sign + " " + fate.words)];
    }))];
}

function evidenceTable(item, found, run) {
  if (found.evidence.length === 0) return make("p", null, "None in any channel.");
  const gold = new Set(goldOf(item)), read = new Set(run.channels);
  const number = (value, digits) => value === null ? "-" : Number(value).toFixed(digits);
  return table(["channel", "rank", "enzyme", "shown as", "EC", "score", "identity", "coverage", "E-value"],
    found.evidence.map(([channel, rank, enzyme, shown, ecs, score, identity, coverage, evalue]) => [
      channel + (read.has(channel) ? " (read)" : ""), rank, enzyme, shown,
      make("span", null, ...ecs.split(";").flatMap((ec, i) => [i > 0 ? "; " : "",
        gold.has(ec) ? make("strong", { class: "is-right" }, ec + " ✓") : ec])),
      score, number(identity, 1), number(coverage, 1),
      evalue === null ? "-" : Number(evalue).toExponential(1)]));
}

// A reply with the spans marked that an answer was read from. Spans count bytes.
function markedReply(call) {
  const bytes = new TextEncoder().encode(call.reply), decoder = new TextDecoder();
  const text = (from, to) => visible(decoder.decode(bytes.subarray(from, to)));
  const node = make("pre", null);
  let at = 0;
  for (const { what, first, last } of [...call.reads].sort((a, b) => a.first - b.first)) {
    if (first - 1 < at || last > bytes.length) continue;
    node.append(text(at, first - 1), make("mark", { title: "read as: " + what }, text(first - 1, last)));
    at = last;
  }
  node.append(text(at, bytes.length));
  return node;
}

function replyNodes(call) {
  const nodes = [];
  if (call.reasoning) nodes.push(make("p", null, "Reasoning"), block(call.reasoning));
  if (call.reply !== null) {
    nodes.push(make("p", null, "Reply"), markedReply(call));
  } else if (call.raw !== null) {
    nodes.push(make("p", null, "No reply: " + visible(String(call.cause)) + ", HTTP " + call.status),
      block(call.raw));
  } else {
    nodes.push(make("p", null, "No record of this call."));
  }
  return nodes;
}

function callNode(call, number) {
  const words = ["Call " + number];
  if (call.step) words.push(visible(call.step));
  if (call.sample) words.push("chain " + visible(String(call.sample)));
  if (call.attempts > 1) words.push(call.attempts + " attempts");
  const prompt = make("details", null, make("summary", null, "Prompt"),
    ...call.messages.flatMap(({ role, text }) =>
      [make("p", null, visible(role)), block(text, { class: "wide", tabindex: "0" })]));
  return make("section", null, heading(words.join(", ")),
    call.messages.length > 0 ? prompt : null, ...replyNodes(call));
}

function costLine(run) {
  const [calls, prompt, completion, reasoning] = run.usage;
  return make("p", { class: "note" }, calls + (calls === 1 ? " call, " : " calls, ") + prompt + " prompt and " + completion
    + " completion tokens" + (reasoning > 0 ? ", " + reasoning + " of reasoning" : ""));
}

function notesOf(run) {
  if (run.notes.length === 0) return [];
  return [heading("Notes"), ...run.notes.map(([name, value]) => block(name + ": " + value))];
}

// A reaction has neither sequence nor motifs.
function queryNodes(item, found) {
  const more = found.sequence === null ? null
    : make("details", null, make("summary", null, "Sequence and motifs"),
      block(found.sequence), block(found.motifs));
  return [heading("Query"), make("p", null, "Shown to the model as " + index.items.shown[item]),
    block(found.words), more ?? ""];
}

function bar(record) {
  const button = (words, act) => {
    const node = make("button", { type: "button" }, words);
    node.addEventListener("click", act);
    return node;
  };
  return make("div", { class: "bar" }, button("Close", closeDetail),
    button("Previous", () => stepRecord(-1)), button("Next", () => stepRecord(1)));
}

function fillDetail(record, found) {
  const run = found.runs.find((one) => one.arm === record.arm);
  const { name, id } = index.items;
  detail.box.replaceChildren(bar(record),
    make("h3", { id: "detail-title", tabindex: "-1" },
      name[record.item] + " (" + id[record.item] + "), " + index.arms[record.arm]),
    fateLine(record, run), goldLine(record.item, found.names),
    heading("Decision path"), pathTable(record, run, found.names),
    run.others.length > 0 ? make("p", null, "Other answers: " + run.others.join(", ")) : "",
    costLine(run), ...otherRuns(record), heading("Evidence"),
    evidenceTable(record.item, found, run), ...queryNodes(record.item, found),
    ...run.calls.map((call, i) => callNode(call, i + 1)), ...notesOf(run));
}

// Opens a record; whoever asks last wins.
async function openRecord(record) {
  detail.shown = record;
  const found = await detailsOf(record.item);
  if (detail.shown !== record) return;
  fillDetail(record, found);
  detail.box.hidden = false;
  detail.box.parentNode.classList.add("open");
  document.body.classList.add("reading");
  detail.box.scrollTop = 0;
  byId("detail-title").focus({ preventScroll: true });
  history.replaceState(null, "", "#record=" + record.arm + "/"
    + encodeURIComponent(index.items.id[record.item]));
}

function closeDetail() {
  detail.shown = null;
  detail.box.hidden = true;
  detail.box.parentNode.classList.remove("open");
  document.body.classList.remove("reading");
  history.replaceState(null, "", "#items");
  list.box.focus({ preventScroll: true });
}

function stepRecord(by) {
  const place = list.shown.indexOf(detail.shown) + by;
  if (place < 0 || place >= list.shown.length) return;
  moveTo(place);
  openRecord(list.shown[place]);
}
