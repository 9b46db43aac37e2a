// Starts the browser of items.

let search = { needle: "", hits: null }; // the last search in texts
let timer = 0;

function say(count, words) {
  byId("count").textContent = count.toLocaleString("en") + " of "
    + records.length.toLocaleString("en") + " records" + (words || "");
}

function refresh() {
  const shown = chosen(fields.deep.checked && search.needle === needleOf() ? search.hits : null);
  showRecords(shown);
  say(shown.length);
}

// Looks into all prompts and replies; a changed text ends a search under way.
async function searchDeep() {
  const needle = needleOf();
  if (!fields.deep.checked || needle === "" || search.needle === needle) return;
  const mine = { needle, hits: null };
  search = mine;
  const hits = await searchTexts(needle, (share) => {
    say(list.shown.length, ", looking into the texts: " + Math.round(100 * share) + "%");
    return search === mine && fields.deep.checked && needleOf() === needle;
  });
  if (search !== mine) return;
  mine.hits = hits;
  if (hits === null) search = { needle: "", hits: null };
  refresh();
}

function changed() {
  refresh();
  clearTimeout(timer);
  timer = setTimeout(searchDeep, 300);
}

// #record=ARM/ITEM opens that record.
function openFromAddress() {
  const found = location.hash.match(/^#record=(\d+)\/(.+)$/);
  if (!found) return;
  const item = index.items.id.indexOf(decodeURIComponent(found[2]));
  const record = records.find((one) => one.arm === Number(found[1]) && one.item === item);
  if (!record) return;
  moveTo(list.shown.indexOf(record));
  openRecord(record);
}

function onKey(event) {
  if (event.key === "Escape" && !detail.box.hidden) closeDetail();
  const typing = event.target.closest("input, select, textarea");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  fields.text.focus();
}

fillFields();
startList(openRecord);
byId("filter").addEventListener("input", changed);
byId("filter").addEventListener("submit", (event) => event.preventDefault());
byId("filter").addEventListener("reset", () => setTimeout(changed));
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", openFromAddress);
refresh();
openFromAddress();
