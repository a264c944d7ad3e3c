import { rmSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { openMemory } from "agentic-remem/runtime";
import { compare, runOnce } from "./measure.ts";
import { type Figure, ms } from "./report.ts";
import { benchService } from "./service.ts";
import { MODEL, piCommand } from "./subject.ts";

/** A prompt that is worth remembering, so that a fresh memory begins with it. */
const PROMPT = "Remember: releases are made on Tuesdays only.";

/**
 * What memory adds to a whole `pi -p`: where nothing is remembered and nothing is to be, in tokens and time; to the first run that is
 * remembered; and where there is something to recall.
 */
export async function benchMemoryStart(runs: number): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using fresh = await workspace({ "a.txt": "one\n" });
  await using filled = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  const run = (words: string[], where = space) =>
    runOnce(piCommand(where, service.url, [...MODEL, ...words]));
  await fill(filled.home, filled.path);
  await run(["-p", "hi"]);
  const { bytes: on } = await service.last();
  await run(["--memory-off", "-p", "hi"]);
  const { bytes: off } = await service.last();
  const costs = await compare(runs, {
    off: () => run(["--memory-off", "-p", "hi"]),
    empty: () => run(["-p", "hi"]),
    first: () => {
      rmSync(join(fresh.home, ".pi-go", "memory"), { recursive: true, force: true });
      return run(["-p", PROMPT], fresh);
    },
    filled: () => run(["-p", "When are releases made?"], filled),
  });
  // The best run of each: a few milliseconds are looked for, and other work of the machine costs more.
  const of = (name: string) => Math.min(...costs[name]!.map(({ wallMs }) => wallMs));
  const over = (name: string) => of(name) - of("off");
  const added = over("empty");
  return [
    {
      name: "an empty memory: bytes of the first request",
      value: `${on - off} more`,
      beside: "",
      goal: "0",
      met: on === off,
    },
    {
      name: "an empty memory: the whole run",
      value: `${ms(added)} more`,
      beside: `--memory-off: ${ms(of("off"))}`,
      goal: "≤ 5 ms",
      met: added <= 5,
    },
    {
      name: "the first run that is remembered",
      value: `${ms(over("first"))} more`,
      beside: "",
      goal: "≤ 15 ms",
      met: over("first") <= 15,
    },
    {
      name: "a run with something to recall",
      value: `${ms(over("filled"))} more`,
      beside: "",
      goal: "≤ 25 ms",
      met: over("filled") <= 25,
    },
  ];
}

async function fill(home: string, cwd: string): Promise<void> {
  await using memory = openMemory({
    host: "remem",
    cwd,
    home,
    environment: {},
    ignoreFiles: true,
    settings: { capture: { enabled: true } },
  });
  const session = memory.session({ id: "earlier" });
  for (let index = 0; index < 200; index++)
    session.typed({
      messageId: `m${index}`,
      text: `Remember: service number ${index} listens on port ${3_000 + index}.`,
      source: "interactive",
    });
  session.typed({ messageId: "release", text: PROMPT, source: "interactive" });
  await memory.idle();
}
