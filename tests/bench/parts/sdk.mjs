// The openai SDK at work: node sdk.mjs NODE_MODULES URL CALLS AT_ONCE
// Prints the microseconds of the processor that a call took, its start left out.
import { createRequire } from "node:module";

const [modules, url, calls, width] = process.argv.slice(2);
const { OpenAI } = createRequire(modules + "/")("openai");
const client = new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0 });
const content = "MKAAVVTKDHHVDVTYKTLRSLKHGE ".repeat(71);

let begun = 0;
async function work() {
  while (begun < calls) {
    begun++;
    await client.chat.completions.create({
      model: "stub", seed: begun, messages: [{ role: "user", content: content + begun }],
    });
  }
}

const start = process.cpuUsage();
await Promise.all(Array.from({ length: Number(width) }, work));
const used = process.cpuUsage(start);
console.log((used.user + used.system) / calls);
