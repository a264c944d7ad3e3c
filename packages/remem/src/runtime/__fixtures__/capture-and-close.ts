import { openMemory } from "../open-memory.ts";

/** Captures COUNT prompts in a session of its own, closes, and says what was left: `capture-and-close.ts CWD HOME NAME COUNT`. */
const [cwd, home, name, count] = process.argv.slice(2) as [string, string, string, string];
const memory = openMemory({ host: "test", cwd, home, settings: { capture: { enabled: true } } });
const session = memory.session({ id: name });
for (let index = 0; index < Number(count); index++) {
  session.typed({ messageId: `m${index}`, text: `${name} says thing number ${index}`, source: "interactive" });
  if (index % 10 === 9) await memory.idle();
}
const { left } = await memory.close();
process.stdout.write(`left ${left}\n`);
