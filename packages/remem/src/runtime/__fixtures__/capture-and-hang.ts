import { openMemory } from "../open-memory.ts";

/** Captures COUNT prompts under one session while nothing can be stored (the store's path is a folder), says so, and waits to be killed: `capture-and-hang.ts CWD HOME STORE COUNT`. */
const [cwd, home, store, count] = process.argv.slice(2) as [string, string, string, string];
const memory = openMemory({
  host: "test",
  cwd,
  home,
  settings: { capture: { enabled: true }, storage: { path: store } },
});
const session = memory.session({ id: "killed" });
for (let index = 0; index < Number(count); index++)
  session.typed({ messageId: `m${index}`, text: `thought number ${index} about whales`, source: "interactive" });
await memory.idle();
process.stdout.write(`pending ${memory.capture().pending}\n`);
setInterval(() => undefined, 1_000);
