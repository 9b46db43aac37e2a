// The records. The index has a column for everything that the list shows and
// filters by; details stand in packed chunks, unpacked when they are asked for.

const index = JSON.parse(byId("index").textContent);

// Records in the order of the items, then of the settings: { arm, item, row }.
const records = [];
for (let arm = 0; arm < index.records.length; arm += 1) {
  index.records[arm].item.forEach((item, row) => records.push({ arm, item, row }));
}
records.sort((a, b) => a.item - b.item || a.arm - b.arm);

const column = (name) => (record) => index.records[record.arm][name][record.row];
const outcomeOf = column("outcome");
const causeOf = column("cause"); // -1: nothing was lost
const rightOf = column("right");
const leafOf = column("leaf");
const confidenceOf = column("confidence");

const goldOf = (item) => index.items.gold[item].split(";");
const classesOf = (item) => new Set(goldOf(item).map((ec) => ec.split(".")[0]));

// What became of a record: its kind, its sign, and words for it.
function fateOf(record) {
  const cause = causeOf(record);
  if (cause < 0) return { kind: "right", sign: "✓", words: "right" };
  const words = index.causes[cause];
  if (words.startsWith("wrong")) return { kind: "wrong", sign: "✗", words };
  if (words.startsWith("abstained")) return { kind: "stopped", sign: "○", words };
  return { kind: "failed", sign: "!", words };
}

// An empty list is written as {}.
const listOf = (value) => Array.isArray(value) ? value : [];

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

const parsed = new Promise((done) => {
  if (document.readyState !== "loading") done();
  else document.addEventListener("DOMContentLoaded", () => done());
});

const chunkCount = () => Math.ceil(index.items.id.length / index.chunk);
const unpacked = new Map(); // the last few chunks

async function chunk(number) {
  await parsed;
  if (!unpacked.has(number)) {
    unpacked.set(number, await unpack(byId("chunk-" + number).textContent));
    if (unpacked.size > 4) unpacked.delete(unpacked.keys().next().value);
  }
  return unpacked.get(number);
}

const pairs = (list) => {
  const found = [];
  for (let i = 0; i < list.length; i += 2) found.push([list[i], list[i + 1]]);
  return found;
};

function callOf(parts, list) {
  const [step, sample, status, cause, attempts, reasoning, reply, raw, reads, messages] = list;
  const text = (numbers) => numbers.split(" ").map((number) => parts[number]).join("\n\n");
  const spans = listOf(reads);
  return {
    step, sample, status, cause, attempts, reasoning, reply, raw,
    reads: Array.from({ length: spans.length / 3 }, (_, i) =>
      ({ what: spans[3 * i], first: spans[3 * i + 1], last: spans[3 * i + 2] })),
    messages: pairs(listOf(messages)).map(([role, numbers]) => ({ role, text: text(numbers) })),
  };
}

function runOf(parts, list) {
  const [arm, path, confidences, message, stoppedAt, share, consensus, others, notes, channels,
    usage, calls] = list;
  return {
    arm, message, stoppedAt, share, consensus, usage, path: listOf(path),
    confidences: listOf(confidences), others: listOf(others), notes: pairs(listOf(notes)),
    channels: listOf(channels), calls: listOf(calls).map((call) => callOf(parts, call)),
  };
}

function itemOf(list) {
  const [words, sequence, motifs, evidence, names, parts, runs] = list;
  return {
    words, sequence, motifs, evidence: listOf(evidence),
    names: new Map(pairs(listOf(names))),
    runs: listOf(runs).map((run) => runOf(listOf(parts), run)),
  };
}

async function detailsOf(item) {
  const list = await chunk(Math.floor(item / index.chunk));
  return itemOf(list[item % index.chunk]);
}

// The records whose prompts or replies hold a text, as a set of "arm item";
// `progress(share)` returns false to give up.
async function searchTexts(needle, progress) {
  const found = new Set();
  for (let number = 0; number < chunkCount(); number += 1) {
    if (!progress(number / chunkCount())) return null;
    const list = await chunk(number);
    list.forEach((packed, i) => {
      for (const run of itemOf(packed).runs) {
        const holds = run.calls.some((call) =>
          [call.reply, call.reasoning, call.raw, ...call.messages.map((message) => message.text)]
            .some((text) => text && text.toLowerCase().includes(needle)));
        if (holds) found.add(run.arm + " " + (number * index.chunk + i));
      }
    });
  }
  return found;
}
