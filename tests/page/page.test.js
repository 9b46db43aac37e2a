// What a reader of the report's page meets, in a headless Chromium. TAP.
//   node tests/page/page.test.js SMALL/index.html LARGE/index.html BRIEF/index.html
"use strict";
const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { Browser } = require("./browser.js");

const [small, large, brief] = process.argv.slice(2).map((file) => path.resolve(file));
const url = (file) => "file://" + file;
const tests = [];
const test = (name, run) => tests.push({ name, run });

const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844, mobile: true, scale: 2 };

const count = "Number(document.getElementById('count').textContent.split(' ')[0].replace(',', ''))";
const shown = "!document.getElementById('detail').hidden";
const detailText = "document.getElementById('detail').innerText";
const activeId = "document.activeElement.id";

const choose = (field, value) => `(() => {
  const field = document.getElementById("filter-${field}");
  field.value = ${JSON.stringify(value)};
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return field.value;
})()`;

function indexOf(file) {
  const html = fs.readFileSync(file, "utf8");
  return JSON.parse(html.match(/<script type="application\/json" id="index">(.*?)<\/script>/s)[1]);
}

// How many records of an index fit.
function counted(index, fits) {
  let n = 0;
  index.records.forEach((columns, arm) => columns.item.forEach((item, row) => {
    if (fits({ arm, item, cause: columns.cause[row], outcome: columns.outcome[row] })) n += 1;
  }));
  return n;
}

async function openRecord(browser, file, address) {
  await browser.open(url(file) + "#" + address);
  await browser.until(shown);
}

test("it loads nothing but itself and complains of nothing", async (browser) => {
  await browser.open(url(small));
  assert.deepStrictEqual(browser.loads, [url(small)]);
  assert.deepStrictEqual(browser.complaints, []);
});

test("its policy forbids everything but its own style and script", async (browser) => {
  await browser.open(url(small));
  const policy = await browser.value("document.querySelector('meta[http-equiv]').content");
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
  assert.ok(!policy.includes("unsafe"));
  const names = await browser.value(`[...new Set([...document.querySelectorAll("*")]
    .flatMap((node) => node.getAttributeNames()))]`);
  assert.deepStrictEqual(names.filter((name) => /^(on.*|src|srcset|action|formaction)$/.test(name)), []);
  assert.ok(await browser.value(`[...document.querySelectorAll("[href]")]
    .every((node) => node.getAttribute("href").startsWith("#"))`), "a link leads out of the page");
});

test("a script that somebody smuggles in does not run", async (browser) => {
  await browser.open(url(small));
  await browser.value(`document.body.append(Object.assign(document.createElement("script"),
    { textContent: "document.title = 'owned'" }))`);
  assert.notStrictEqual(await browser.value("document.title"), "owned");
});

test("it has an overview, tables and figures", async (browser) => {
  await browser.open(url(small));
  assert.match(await browser.value("document.getElementById('overview').innerText"), /Benchmark\s+ecoli/);
  assert.ok(await browser.value("document.querySelectorAll('#tables table').length") >= 15);
  assert.ok(await browser.value("document.querySelectorAll('#figures svg').length") >= 7);
  assert.strictEqual(await browser.value(`(() => {
    const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
    return ids.length - new Set(ids).size;
  })()`), 0, "an id stands twice");
});

test("a model's name is text in tables and figures", async (browser) => {
  await browser.open(url(small));
  assert.strictEqual(await browser.value("document.querySelectorAll('img').length"), 0);
  assert.match(await browser.value("document.getElementById('overview').innerText"), /<img src=x/);
});

test("it filters by setting, split, answer, cause, class and text", async (browser) => {
  const index = indexOf(small);
  const price = index.splits.indexOf("price"), wrong = index.causes.indexOf("wrong first at L4");
  const inClass = (record, name) =>
    index.items.gold[record.item].split(";").some((ec) => ec.startsWith(name + "."));
  await browser.open(url(small));
  for (const [field, value, fits] of [
    ["arm", "1", (record) => record.arm === 1],
    ["split", String(price), (record) => index.items.split[record.item] === price],
    ["outcome", "right", (record) => record.cause < 0],
    ["outcome", "lost", (record) => record.cause >= 0],
    ["outcome", "o1", (record) => record.outcome === 1],
    ["cause", String(wrong), (record) => record.cause === wrong],
    ["class", "2", (record) => inClass(record, "2")],
    ["text", "price/12", (record) => index.items.name[record.item] === "price/12"],
    ["text", index.items.id[7].toLowerCase(), (record) => record.item === 7],
  ]) {
    await browser.value(choose(field, value));
    const expected = counted(index, fits);
    assert.ok(expected > 0 && expected < counted(index, () => true), field);
    assert.strictEqual(await browser.value(count), expected, field + " " + value);
    await browser.value(choose(field, ""));
  }
  assert.strictEqual(await browser.value(count), counted(index, () => true));
});

test("filters join, and Clear takes all of them back", async (browser) => {
  const index = indexOf(small);
  await browser.open(url(small));
  await browser.value(choose("arm", "0"));
  await browser.value(choose("split", "0"));
  assert.strictEqual(await browser.value(count),
    counted(index, (record) => record.arm === 0 && index.items.split[record.item] === 0));
  await browser.value("document.querySelector('#filter button').click()");
  await browser.until(`${count} === ${counted(index, () => true)}`);
});

test("it orders by confidence, those without one last", async (browser) => {
  await browser.open(url(small));
  await browser.value(choose("order", "sure"));
  const first = "document.querySelector('.row').innerText";
  assert.match(await browser.value(first), /confidence 1\.00/);
  await browser.value("document.getElementById('list').focus()");
  await browser.press("End");
  assert.doesNotMatch(await browser.value("document.querySelector('[aria-selected=true]').innerText"),
    /confidence/);
});

test("a record shows path, evidence, prompt, reply, and itself elsewhere", async (browser) => {
  const index = indexOf(small);
  const arm = index.arms.findIndex((name) => name.startsWith("M2"));
  await openRecord(browser, small, `record=${arm}/${index.items.id[70]}`);
  const text = await browser.value(detailText);
  assert.match(text, new RegExp("Labels: " + index.items.gold[70].split(";")[0].replace(/\./g, "\\.")));
  for (const words of ["Decision path", "The same item elsewhere", "Evidence", "blast", "Call 5", "Reply",
    "The evidence rows agree"]) {
    assert.ok(text.includes(words), words);
  }
  await browser.value("document.querySelector('#detail section details').open = true");
  assert.match(await browser.value(detailText), /Query enzyme Q[A-Z2-7]{8}/);
  await browser.value("document.querySelector('#detail .other').click()");
  await browser.until(`!document.getElementById('detail-title').innerText.includes("M2")`);
  assert.ok((await browser.value(detailText)).includes(index.items.name[70]));
});

test("a hostile reply is text", async (browser) => {
  const index = indexOf(small);
  await openRecord(browser, small, `record=0/${index.items.id[2]}`);
  const text = await browser.value("[...document.querySelectorAll('#detail pre')].at(-1).textContent");
  assert.ok(text.includes("</script><script>document.title = 'owned'</script>"));
  assert.ok(text.includes("\u241b[31m"), "escape characters are visible");
  assert.ok(text.includes("⟨U+202E⟩"), "what turns text round is visible");
  assert.strictEqual(await browser.value("document.querySelectorAll('img').length"), 0);
  assert.strictEqual(await browser.value("document.title"), "ecrb report, benchmark ecoli");
  assert.deepStrictEqual(browser.complaints, []);
});

test("the keyboard suffices", async (browser) => {
  const index = indexOf(small);
  await browser.open(url(small));
  await browser.press("/");
  assert.strictEqual(await browser.value(activeId), "filter-text");
  await browser.type("price/12");
  await browser.until(`${count} === ${index.arms.length}`);
  await browser.press("/");
  assert.strictEqual(await browser.value("document.getElementById('filter-text').value"), "price/12/");
  await browser.press("Backspace");
  for (let i = 0; i < 3; i += 1) await browser.press("Tab");
  assert.strictEqual(await browser.value(activeId), "list");
  const active = `document.getElementById(document.getElementById("list")
    .getAttribute("aria-activedescendant"))?.getAttribute("aria-posinset")`;
  for (const [key, place] of [["ArrowDown", 1], ["ArrowDown", 2], ["ArrowUp", 1], ["ArrowUp", 1],
    ["End", index.arms.length], ["Home", 1]]) {
    await browser.press(key);
    assert.strictEqual(await browser.value(active), String(place), key);
  }
  await browser.press("Enter");
  await browser.until(shown);
  assert.strictEqual(await browser.value(activeId), "detail-title");
  await browser.press("Escape");
  assert.strictEqual(await browser.value(shown), false);
  assert.strictEqual(await browser.value(activeId), "list");
  assert.strictEqual(await browser.value("location.hash"), "#items");
});

test("an address opens its record, a wrong one nothing", async (browser) => {
  await openRecord(browser, small, "record=1/" + indexOf(small).items.id[30]);
  assert.ok(await browser.value("Boolean(document.querySelector('[aria-selected=true]'))"));
  await browser.open(url(small) + "#record=99/nobody");
  assert.strictEqual(await browser.value(shown), false);
  assert.deepStrictEqual(browser.complaints, []);
});

test("it looks into prompts and replies where that is asked", async (browser) => {
  await browser.open(url(small));
  await browser.value(choose("text", "onerror"));
  assert.strictEqual(await browser.value(count), 0);
  await browser.value("document.getElementById('filter-deep').click()");
  await browser.until(`${count} === 3`);
});

test("on a phone nothing sticks out and a record has the screen", async (browser) => {
  await browser.view(phone);
  await browser.open(url(small));
  assert.ok(await browser.value("document.documentElement.scrollWidth") <= phone.width);
  await browser.value("document.querySelector('.row').click()");
  await browser.until(shown);
  assert.deepStrictEqual(await browser.value(`(() => {
    const box = document.getElementById("detail").getBoundingClientRect();
    return [box.left, box.top, Math.round(box.width), Math.round(box.height)];
  })()`), [0, 0, phone.width, phone.height]);
  assert.ok(await browser.value(`[...document.querySelectorAll(".bar button, form select")]
    .every((node) => node.offsetHeight >= 44)`), "a target is too small for a finger");
});

test("it is dark where the reader wants it dark", async (browser) => {
  const paper = "getComputedStyle(document.body).backgroundColor";
  await browser.open(url(small));
  const light = await browser.value(paper);
  await browser.view({ ...desktop, dark: true });
  assert.notStrictEqual(await browser.value(paper), light);
});

test("without texts a record still shows its path and evidence", async (browser) => {
  await openRecord(browser, brief, "record=1/" + indexOf(brief).items.id[70]);
  const text = await browser.value(detailText);
  assert.ok(text.includes("Decision path") && !text.includes("Call 1"));
  assert.ok(fs.statSync(brief).size < fs.statSync(small).size);
});

test("12,141 records paint within two seconds and stay few in the document", async (browser) => {
  await browser.open(url(large));
  const painted = "performance.getEntriesByName('first-contentful-paint')[0]";
  await browser.until(painted + " !== undefined"); // it is told a little after the paint
  const paint = await browser.value(painted + ".startTime");
  assert.ok(paint < 2000, "first paint after " + paint + " ms");
  assert.strictEqual(await browser.value(count), 12141);
  assert.ok(await browser.value("document.querySelectorAll('.row').length") < 60);
});

test("12,141 records are quick to filter, to end and to open", async (browser) => {
  await browser.open(url(large));
  const spent = await browser.value(`(() => {
    const from = performance.now();
    ${choose("text", "1.1.1")};
    return performance.now() - from;
  })()`);
  assert.ok(spent < 500, "filtered in " + spent + " ms");
  await browser.value(choose("text", ""));
  await browser.value("document.getElementById('list').focus()");
  await browser.press("End");
  assert.strictEqual(await browser.value("document.querySelector('[aria-selected=true]').ariaPosInSet"), "12141");
  await browser.press("Enter");
  await browser.until(shown, 2);
  assert.ok((await browser.value(detailText)).includes("promiscuous/209"));
});

async function main() {
  const browser = new Browser();
  let number = 0, failed = 0;
  await browser.start();
  for (const { name, run } of tests) {
    number += 1;
    await browser.view(desktop);
    try {
      await run(browser);
      console.log(`ok ${number} - ${name}`);
    } catch (problem) {
      failed += 1;
      console.log(`not ok ${number} - ${name}`);
      console.log(String(problem.stack).replace(/^/gm, "# "));
    }
  }
  console.log(`1..${number}`);
  await browser.end();
  process.exitCode = failed > 0 ? 1 : 0;
}

main();
