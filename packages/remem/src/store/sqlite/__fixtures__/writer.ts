import { MemoryEngine } from "../../../core/engine.ts";
import { HashEmbedder } from "../../../embed/hash-embedder.ts";
import { openSqliteStore } from "../open-store.ts";

/** Writes memories one at a time until it has written enough, and says each one that was acknowledged: `writer.ts PATH NAME COUNT`. */
const [path, name, count] = process.argv.slice(2) as [string, string, string];
const clock = { now: () => Date.now() };
const store = await openSqliteStore({ path, clock });
const engine = new MemoryEngine({ store, clock, embedder: new HashEmbedder() });
for (let index = 0; index < Number(count); index++) {
  const [result] = await engine.remember([
    {
      kind: "fact",
      scope: { kind: "project", id: "p" },
      text: `${name} wrote number ${index} about the worker lock`,
      subject: `counter of ${name}`,
      provenance: { host: "test", sessionId: index % 2 === 0 ? "shared" : name, author: { role: "user" }, typed: true },
    },
  ]);
  process.stdout.write(`${result?.outcome}\n`);
}
await store.close();
