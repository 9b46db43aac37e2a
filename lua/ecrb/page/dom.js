// Making elements. Text that a model wrote only ever becomes a text node.

const byId = (id) => document.getElementById(id);

// make("td", { class: "number" }, "text", child, ...)
function make(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value !== false && value !== undefined && value !== null) {
      node.setAttribute(key, value === true ? "" : value);
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// Control characters and what reverses or hides text are made visible.
function visible(text) {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f]|[\u0080-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (sign) => {
      const code = sign.codePointAt(0);
      if (code < 0x20) return String.fromCodePoint(0x2400 + code);
      if (code === 0x7f) return "\u2421";
      return "⟨U+" + code.toString(16).toUpperCase().padStart(4, "0") + "⟩";
    });
}

function table(heads, rows, attributes) {
  const row = (cells) => make("tr", null, ...cells.map((cell) =>
    make("td", null, cell instanceof Node ? cell : visible(String(cell ?? "-")))));
  return make("div", { class: "wide-table" },
    make("table", attributes,
      make("thead", null, make("tr", null, ...heads.map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", null, ...rows.map(row))));
}
