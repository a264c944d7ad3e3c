import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { compare, median, runOnce } from "./measure.ts";
import { type Figure, ms, times } from "./report.ts";
import { benchService } from "./service.ts";
import { MODEL, piCommand } from "./subject.ts";

const ID = "20260101-000000-bench0";

/** `pi --session` on a log of many events of which the newest part is in view, beside a fresh one-shot. */
export async function benchResume(runs: number, events: number): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  const folder = join(space.home, ".pi-go", "sessions", ID);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = () => {
    const { log, meta } = makeSession(space.path, events);
    writeFileSync(join(folder, "events.jsonl"), log, { mode: 0o600 });
    writeFileSync(join(folder, "meta.json"), meta, { mode: 0o600 });
  };
  const costs = await compare(runs, {
    resume: () => {
      write();
      return runOnce(piCommand(space, service.url, [...MODEL, "--session", ID, "-p", "hi"]));
    },
    fresh: () => runOnce(piCommand(space, service.url, [...MODEL, "-p", "hi"])),
  });
  const resume = median(costs["resume"]!.map((cost) => cost.wallMs));
  const fresh = median(costs["fresh"]!.map((cost) => cost.wallMs));
  const peak = median(costs["resume"]!.map((cost) => cost.peakMiB));
  return [
    {
      name: `resume of ${events} events`,
      value: `${ms(resume)} = ${times(resume / fresh)}, ${peak.toFixed(0)} MiB`,
      beside: `fresh one-shot: ${ms(fresh)}`,
      goal: "≤ 500 ms",
      met: resume <= 500,
    },
  ];
}

/** A long session: a summary near its end stands for what came before, as it would after that much work. */
function makeSession(cwd: string, events: number): { log: string; meta: string } {
  const lines: string[] = [];
  let parent: string | null = null;
  const add = (body: object) => {
    const id = `e${String(lines.length).padStart(8, "0")}`;
    const ts = new Date(Date.UTC(2026, 0, 1) + lines.length).toISOString();
    lines.push(JSON.stringify({ id, parent, ts, ...body }));
    parent = id;
  };
  const text = "A line of work in a session, long enough to be like a real one. ".repeat(16);
  const usage = { input: 1, output: 1, cache_read: 0, cache_write: 0, reasoning: 0, total: 2 };
  const source = { provider: "openai", wire: "openai-responses", model: "gpt-5.4" };
  for (let index = 0; index < events; index++) {
    const message =
      index % 2 === 0
        ? { role: "user", origin: "user", parts: [{ type: "text", text: `${index} ${text}` }] }
        : {
            role: "assistant",
            parts: [{ type: "text", text: `${index} ${text}` }],
            source,
            stop: "end",
            usage,
          };
    add({ type: "message", message });
    if (index === events - 200)
      add({
        type: "compaction",
        kind: "summary",
        upTo: parent,
        messages: [{ role: "user", origin: "summary", parts: [{ type: "text", text: "What came before." }] }],
      });
  }
  const time = "2026-01-01T00:00:00.000Z";
  const meta = {
    id: ID,
    app: "pi-ts",
    user: "local",
    cwd,
    mode: "print",
    model: "gpt-5.4",
    provider: "openai",
    created: time,
    updated: time,
  };
  return { log: `${lines.join("\n")}\n`, meta: JSON.stringify(meta) };
}
