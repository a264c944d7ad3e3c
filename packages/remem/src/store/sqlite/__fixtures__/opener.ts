import { openSqliteStore } from "../open-store.ts";

/** Waits for a line on its standard input, opens a store, writes one memory, and says what it sees: `opener.ts PATH NAME`. */
const [path, name] = process.argv.slice(2) as [string, string];
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const store = await openSqliteStore({ path, clock: { now: () => 0 } });
const provenance = { host: "test", sessionId: name, author: { role: "user" }, typed: true } as const;
await store.add([{ memory: { kind: "fact", scope: { kind: "global" }, text: `from ${name}`, provenance } }]);
process.stdout.write(`${JSON.stringify(await store.check())}\n`);
await store.close();
process.exit(0);
