// Which records are shown, and in which order.

const fields = {
  arm: byId("filter-arm"), split: byId("filter-split"), outcome: byId("filter-outcome"),
  cause: byId("filter-cause"), class: byId("filter-class"), order: byId("filter-order"),
  text: byId("filter-text"), deep: byId("filter-deep"),
};

function fill(select, options) {
  select.replaceChildren(...options.map(([value, words]) => make("option", { value }, words)));
}

function fillFields() {
  const all = [["", "all"]];
  const numbered = (list) => list.map((words, i) => [String(i), words]);
  const met = new Set(records.map(causeOf));
  fill(fields.arm, all.concat(numbered(index.arms)));
  fill(fields.split, all.concat(numbered(index.splits)));
  fill(fields.outcome, all.concat([["right", "L4 right"], ["lost", "L4 not right"]],
    numbered(index.outcomes).map(([value, words]) => ["o" + value, "ended: " + words])));
  fill(fields.cause, all.concat(numbered(index.causes).filter(([value]) => met.has(Number(value)))));
  const classes = new Set(index.items.gold.flatMap((_, item) => [...classesOf(item)]));
  fill(fields.class, all.concat([...classes].sort((a, b) => a - b).map((name) => [name, "EC " + name])));
  fill(fields.order, [["items", "as in the benchmark"], ["sure", "most confident first"],
    ["unsure", "least confident first"]]);
}

const haystacks = new Map();

function haystack(record) {
  const key = record.arm + " " + record.item;
  if (!haystacks.has(key)) {
    const { id, name, shown, gold } = index.items;
    const item = record.item;
    haystacks.set(key, [id[item], name[item], shown[item], gold[item], leafOf(record)]
      .join(" ").toLowerCase());
  }
  return haystacks.get(key);
}

function fitsOutcome(record, wanted) {
  if (wanted === "") return true;
  if (wanted === "right") return causeOf(record) < 0;
  if (wanted === "lost") return causeOf(record) >= 0;
  return outcomeOf(record) === Number(wanted.slice(1));
}

function fits(record, needle, hits) {
  const is = (field, value) => fields[field].value === "" || Number(fields[field].value) === value;
  return is("arm", record.arm) && is("split", index.items.split[record.item])
    && is("cause", causeOf(record)) && fitsOutcome(record, fields.outcome.value)
    && (fields.class.value === "" || classesOf(record.item).has(fields.class.value))
    && (needle === "" || haystack(record).includes(needle)
      || Boolean(hits && hits.has(record.arm + " " + record.item)));
}

// Items without a confidence come last either way.
function ordered(list) {
  const way = { sure: -1, unsure: 1 }[fields.order.value];
  if (!way) return list;
  const key = (record) => confidenceOf(record) ?? Infinity;
  return list.sort((a, b) => {
    const x = key(a), y = key(b);
    if (x === Infinity || y === Infinity) return x === y ? 0 : x === Infinity ? 1 : -1;
    return way * (x - y);
  });
}

const needleOf = () => fields.text.value.trim().toLowerCase();

// The chosen records; `hits` as of searchTexts, or null.
function chosen(hits) {
  const needle = needleOf();
  return ordered(records.filter((record) => fits(record, needle, hits)));
}
