import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Block,
  call,
  cut,
  fail,
  leftovers,
  type ModelServer,
  modelServer,
  type RecordedRequest,
  say,
  type TerminalProgram,
  usage,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { idle, leave, openPi, send } from "../e2e/interactive/support.ts";
import { stateFolder } from "../e2e/support/state.ts";
import { median } from "./measure.ts";
import type { Figure } from "./report.ts";
import { usageOf } from "./terminal/process-usage.ts";

/** After so many prompts the conversation is summed up on request. */
const COMPACT_EVERY = 40;
/**
 * KiB of resident memory a prompt. The transcript stays, some 20 KiB of live heap a prompt with these kinds of work; the rest is room for
 * what the allocator keeps and for code that is compiled late.
 */
const MOST_GROWTH = 100;
/** What it says when it is over; before that it may not even have begun. */
const COMPACTED = /What was said is a summary now|Old tool results were shortened|Nothing was compacted/;
const SIZES: readonly (readonly [number, number])[] = [
  [120, 40],
  [80, 24],
  [200, 60],
  [61, 17],
];

/** What happens between a prompt and its answer, one kind after the other. */
const KINDS: readonly ((n: number) => readonly (readonly Block[])[])[] = [
  (n) => [[call("bash", { command: `echo step ${n}` })]],
  (n) => [[call("write", { file_path: `made-${n % 7}.txt`, content: `made in ${n}\nold\n` })]],
  (n) => [
    [call("read", { file_path: "kept.txt" })],
    [call("edit", { file_path: "kept.txt", old_string: "end\n", new_string: `${n}\nend\n` })],
  ],
  () => [[fail(503)]],
  () => [[cut()]],
  (n) => [[call("agent", { agent: "explore", task: `LOOK ${n}` })]],
  (n) => [[say(`${"A long word of an answer. ".repeat(400)}${n}\n`), call("ls", {})]],
  (n) => [[1, 2, 3].map((each) => call("bash", { command: `printf 'part ${each} of ${n}'` }))],
  () => [[call("bash", { command: "seq 1 30000" })]],
  (n) => [[call("bash", { command: `exit ${n % 3}` }), call("grep", { pattern: "end", path: "." })]],
];

/**
 * One long session in the terminal: tools, subagents, memory, compaction, resizes and faults of the service, prompt after prompt. What it
 * must not do is grow beyond what it shows, lose an event or leave something behind.
 */
export async function benchSoak(prompts: number): Promise<Figure[]> {
  await using server = await modelServer();
  await using space = await workspace({ "kept.txt": "begin\nend\n" }, { git: true });
  server.allowProblems();
  const played = play(server);
  const resident: number[] = [];
  const started = performance.now();
  const program = await openPi(space, server, { cols: 120, rows: 40 });
  try {
    for (let n = 1; n <= prompts; n++) {
      await turn(program, n);
      if (n % COMPACT_EVERY === 0) {
        send(program, "/compact");
        await program.waitFor(COMPACTED);
        await idle(program);
      }
      server.requests.length = 0;
      resident.push(usageOf(program.pid).residentMiB);
    }
    const code = await leave(program);
    if (code !== 0) throw new Error(`pi ended with exit code ${code}`);
  } finally {
    await program[Symbol.asyncDispose]();
  }
  const minutes = (performance.now() - started) / 60_000;
  const lost = lostIn(space, prompts);
  const left = leftovers(space.marker);
  const quarter = Math.max(1, Math.floor(prompts / 4));
  const early = median(resident.slice(quarter, 2 * quarter));
  const late = median(resident.slice(-quarter));
  const growth = (late - early) / (2 * quarter);
  const beside = `${prompts} prompts, ${played()} requests, ${minutes.toFixed(1)} min`;
  return [
    {
      name: "soak: resident memory in the second and the last quarter",
      value: `${early.toFixed(0)} and ${late.toFixed(0)} MiB (${(growth * 1024).toFixed(0)} KiB a prompt)`,
      beside,
      goal: `≤ ${MOST_GROWTH} KiB a prompt`,
      met: growth * 1024 <= MOST_GROWTH,
    },
    {
      name: "soak: prompts and answers that are not in the session exactly once",
      value: String(lost.length),
      beside: lost.slice(0, 3).join(", "),
      goal: "0",
      met: lost.length === 0,
    },
    {
      name: "soak: processes left behind",
      value: String(left.length),
      beside: "",
      goal: "0",
      met: left.length === 0,
    },
  ];
}

async function turn(program: TerminalProgram, n: number): Promise<void> {
  const [cols, rows] = SIZES[n % SIZES.length]!;
  if (n % 5 === 0) program.resize(cols, rows);
  send(program, `prompt-${n}.`);
  await program.waitFor(`answer-${n}.`);
  await idle(program);
}

/** Answers by what the request says; gives how many requests there were. */
function play(server: ModelServer): () => number {
  let requests = 0;
  const steps = new Map<number, number>();
  server.otherwise((request) => {
    requests++;
    const said = request.text;
    if (said.includes("LOOK ") && !said.includes("prompt-")) return subagent(request);
    if (request.tools.length === 0) return [say("A summary of what was done: files were made and read.")];
    const n = Number([...said.matchAll(/prompt-(\d+)\./g)].at(-1)?.[1]);
    const step = steps.get(n) ?? 0;
    steps.set(n, step + 1);
    const planned = KINDS[n % KINDS.length]!(n)[step];
    return planned === undefined
      ? [say(`answer-${n}.`), usage({ input: Math.round(said.length / 4), output: 20 })]
      : [...planned];
  });
  return () => requests;
}

function subagent(request: RecordedRequest): Block[] {
  return request.results.length === 0 ? [call("ls", {})] : [say("it is all there")];
}

/** Prompts and answers that the session does not hold exactly once, and lines that cannot be read. */
function lostIn(space: Workspace, prompts: number): string[] {
  const sessions = join(stateFolder(space), "sessions");
  const texts: string[] = [];
  const lost: string[] = [];
  for (const id of readdirSync(sessions)) {
    const file = join(sessions, id, "events.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    if (lines.pop() !== "") lost.push(`${id} has a torn last line`);
    if (!lines.some((line) => line.includes("prompt-1."))) continue;
    for (const line of lines)
      try {
        texts.push(...ownTexts(JSON.parse(line)));
      } catch {
        lost.push(`a line of ${id} is no JSON`);
      }
  }
  for (let n = 1; n <= prompts; n++)
    for (const word of [`prompt-${n}.`, `answer-${n}.`]) {
      const times = texts.filter((text) => text.trim() === word || text.endsWith(word)).length;
      if (times !== 1) lost.push(`${word} stands there ${times} times`);
    }
  return lost;
}

/** The texts of messages that a person or the model wrote. */
function ownTexts(record: {
  message?: { role?: string; origin?: string; parts?: { type: string; text?: string }[] };
}): string[] {
  const { role, origin, parts = [] } = record.message ?? {};
  if (role !== "assistant" && !(role === "user" && origin === "user")) return [];
  return parts.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []));
}
