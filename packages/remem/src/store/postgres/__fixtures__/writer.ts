import { openPostgresStore } from "../open-store.ts";

/** Writes memories one at a time until it has written enough, and says each one that was acknowledged: `writer.ts URL NAME COUNT`. */
const [url, name, count] = process.argv.slice(2) as [string, string, string];
const store = await openPostgresStore({ url, clock: { now: () => Date.now() } });
for (let index = 0; index < Number(count); index++) {
  const [result] = await store.add([
    {
      memory: {
        kind: "fact",
        scope: { kind: "project", id: "p" },
        text: `${name} wrote number ${index} about the worker lock`,
        subject: `counter of ${name}`,
        provenance: {
          host: "test",
          sessionId: index % 2 === 0 ? "shared" : name,
          author: { role: "user" },
          typed: true,
        },
      },
    },
  ]);
  process.stdout.write(`${result?.outcome}\n`);
}
await store.close();
