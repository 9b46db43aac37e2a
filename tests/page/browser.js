// A headless Chromium, driven over the DevTools protocol through a pipe: no
// port, no package. Whatever the page complains of is kept in `complaints`,
// whatever it loads in `loads`.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const CHROMIUM = ["chromium", "chromium-browser", "google-chrome"];

function find() {
  for (const name of CHROMIUM) {
    for (const folder of (process.env.PATH || "").split(":")) {
      const file = path.join(folder, name);
      if (fs.existsSync(file)) return file;
    }
  }
  return null;
}

class Browser {
  constructor() {
    this.waiting = new Map();
    this.count = 0;
    this.complaints = [];
    this.loads = [];
    this.rest = "";
    this.profile = fs.mkdtempSync(path.join(process.env.TMP || os.tmpdir(), "chromium-"));
    this.process = spawn(find(), ["--headless", "--no-sandbox", "--disable-gpu",
      "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
      "--remote-debugging-pipe", "--user-data-dir=" + this.profile, "about:blank"],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.ended = new Promise((done) => this.process.on("exit", done));
    this.process.stdio[4].on("data", (bytes) => this.receive(bytes));
  }

  receive(bytes) {
    const parts = (this.rest + bytes).split("\0");
    this.rest = parts.pop();
    for (const part of parts) this.handle(JSON.parse(part));
  }

  handle(message) {
    const waiting = this.waiting.get(message.id);
    if (waiting) {
      this.waiting.delete(message.id);
      if (message.error) waiting.fail(new Error(message.error.message));
      else waiting.done(message.result);
    }
    this.notice(message.method, message.params);
  }

  notice(method, params) {
    if (method === "Runtime.exceptionThrown") {
      const { text, exception } = params.exceptionDetails;
      this.complaints.push(text + " " + ((exception && exception.description) || ""));
    }
    if (method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(params.type)) {
      this.complaints.push(params.args.map((arg) => arg.value).join(" "));
    }
    if (method === "Log.entryAdded" && params.entry.level === "error") {
      this.complaints.push(params.entry.text);
    }
    if (method === "Network.requestWillBeSent") this.loads.push(params.request.url);
  }

  send(method, params) {
    const id = this.count += 1;
    const message = { id, method, params: params || {} };
    if (this.session) message.sessionId = this.session;
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail });
      this.process.stdio[3].write(JSON.stringify(message) + "\0");
    });
  }

  async start() {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    this.session = sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await this.send(domain + ".enable");
  }

  // width, height, mobile, dark
  async view(how) {
    await this.send("Emulation.setDeviceMetricsOverride", { width: how.width, height: how.height,
      deviceScaleFactor: how.scale || 1, mobile: Boolean(how.mobile) });
    await this.send("Emulation.setEmulatedMedia", { features: [
      { name: "prefers-color-scheme", value: how.dark ? "dark" : "light" }] });
  }

  async open(url) {
    this.complaints.length = 0;
    this.loads.length = 0;
    await this.send("Page.navigate", { url: "about:blank" });
    await this.send("Page.navigate", { url });
    await this.until("document.readyState === 'complete' && location.href !== 'about:blank'");
  }

  // The value of an expression in the page, awaited.
  async value(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate",
      { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(expression + ": " + exceptionDetails.exception.description);
    return result.value;
  }

  async until(expression, seconds = 20) {
    const end = Date.now() + 1000 * seconds;
    while (!await this.value(expression)) {
      if (Date.now() > end) throw new Error("never true: " + expression);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  async press(key) {
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    for (const type of [text ? "keyDown" : "rawKeyDown", "keyUp"]) {
      await this.send("Input.dispatchKeyEvent", { type, key, text: type === "keyUp" ? undefined : text,
        windowsVirtualKeyCode: { Backspace: 8, Enter: 13, Escape: 27, Tab: 9 }[key] });
    }
  }

  async type(text) {
    for (const key of text) await this.press(key);
  }

  async picture(file) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  }

  async end() {
    this.session = null;
    this.send("Browser.close").catch(() => {});
    await Promise.race([this.ended, new Promise((done) => setTimeout(done, 5000))]);
    this.process.kill("SIGKILL");
    await this.ended;
    fs.rmSync(this.profile, { recursive: true, force: true });
  }
}

module.exports = { Browser, find };
