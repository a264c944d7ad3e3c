import { mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { type Cost, compare, median, runOnce } from "./measure.ts";
import { type Figure, ms, times } from "./report.ts";
import { benchService } from "./service.ts";
import { logOf, metaOf, writeSession } from "./session-log.ts";
import { MODEL, piCommand } from "./subject.ts";

/** How much is written for each benchmark. */
export interface SessionsShape {
  runs: number;
  /** Session folders to list. */
  sessions: number;
  /** Bytes of sessions to search. */
  searched: number;
  /** Events of one session that is opened. */
  events: number;
}

/** Listing, searching and opening what has piled up over years, as whole processes beside `node -e 0`. */
export async function benchSessions(shape: SessionsShape): Promise<Figure[]> {
  return [...(await benchList(shape)), ...(await benchSearchText(shape)), ...(await benchOpen(shape))];
}

const wall = (costs: readonly Cost[]): number => median(costs.map((cost) => cost.wallMs));
const peak = (costs: readonly Cost[]): number => median(costs.map((cost) => cost.peakMiB));

function node(space: Workspace): () => Promise<Cost> {
  return () => runOnce({ argv: ["node", "-e", "0"], cwd: space.path, environment: space.env() });
}

async function benchList({ runs, sessions }: SessionsShape): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  for (let index = 0; index < sessions; index++) {
    const id = `m${String(index).padStart(7, "0")}list`;
    // One in a hundred belongs to this project.
    const folder = folderOf(space, id);
    writeFileSync(
      join(folder, "meta.json"),
      metaOf(id, index % 100 === 0 ? space.path : `/p/${index % 100}`),
    );
    writeFileSync(join(folder, "events.jsonl"), logOf({ messages: 1 }));
  }
  const run = (...words: string[]) => runOnce(piCommand(space, "http://127.0.0.1:1", ["sessions", ...words]));
  const costs = await compare(runs, {
    here: () => run("list"),
    all: () => run("list", "--all"),
    fresh: () => {
      rmSync(join(space.home, ".pi-go", "cache"), { recursive: true, force: true });
      return run("list", "--all");
    },
    node: node(space),
  });
  const bare = wall(costs["node"]!);
  return (["here", "all", "fresh"] as const).map((name) => {
    const value = wall(costs[name]!);
    const what = {
      here: "of this project",
      all: "of all projects",
      fresh: "of all projects, without its cache",
    };
    return {
      name: `list ${what[name]} among ${sessions} sessions`,
      value: `${ms(value)} = ${times(value / bare)}, ${peak(costs[name]!).toFixed(0)} MiB`,
      beside: `node -e 0: ${ms(bare)}`,
      goal: name === "fresh" ? "none" : "≤ 300 ms",
      met: name === "fresh" || value <= 300,
    };
  });
}

async function benchSearchText({ runs, searched }: SessionsShape): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  const words = vocabulary();
  let bytes = 0;
  for (let index = 0; bytes < searched; index++) {
    const id = `m${String(index).padStart(7, "0")}find`;
    const text = logOf({ messages: 400, text: (message) => sentence(words, index * 400 + message) });
    const folder = folderOf(space, id);
    writeFileSync(join(folder, "meta.json"), metaOf(id, space.path));
    writeFileSync(join(folder, "events.jsonl"), text);
    bytes += text.length;
  }
  const run = (...given: string[]) =>
    runOnce(piCommand(space, "http://127.0.0.1:1", ["sessions", "search", ...given]));
  const indexing = await run("--full", "needle");
  const costs = await compare(runs, {
    rare: () => run("needle"),
    common: () => run("the"),
    several: () => run("the", words[5]!, words[900]!),
    node: node(space),
  });
  const bare = wall(costs["node"]!);
  const size = `${(bytes / 1_000_000).toFixed(0)} MB`;
  return [
    ...(["rare", "common", "several"] as const).map((name) => {
      const value = wall(costs[name]!);
      const what = { rare: "a rare word", common: "the most common word", several: "three words" };
      return {
        name: `search ${size} of sessions for ${what[name]}`,
        value: `${ms(value)} = ${times(value / bare)}, ${peak(costs[name]!).toFixed(0)} MiB`,
        beside: `node -e 0: ${ms(bare)}`,
        goal: "≤ 300 ms",
        met: value <= 300,
      };
    }),
    {
      name: `index ${size} of sessions, once`,
      value: `${(indexing.wallMs / 1_000).toFixed(1)} s, ${indexing.peakMiB.toFixed(0)} MiB`,
      beside: `${(bytes / 1_000 / indexing.wallMs).toFixed(1)} MB/s`,
      goal: "none",
      met: true,
    },
  ];
}

const ID = "m0000000open";

async function benchOpen({ runs, events }: SessionsShape): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  // A summary near its end stands for what came before, as it would after that much work.
  writeSession(space, ID, { messages: events, summaryAt: events - 200 });
  const log = join(folderOf(space, ID), "events.jsonl");
  const { size } = statSync(log);
  const costs = await compare(runs, {
    open: () => {
      truncateSync(log, size);
      return runOnce(piCommand(space, service.url, [...MODEL, "--session", ID, "-p", "hi"]));
    },
    fresh: () => runOnce(piCommand(space, service.url, [...MODEL, "-p", "hi"])),
    node: node(space),
  });
  const [open, fresh] = [wall(costs["open"]!), wall(costs["fresh"]!)];
  const memory = peak(costs["open"]!);
  return [
    {
      name: `open a session of ${events} events, and answer`,
      value: `${ms(open)}, ${memory.toFixed(0)} MiB`,
      beside: `fresh one-shot: ${ms(fresh)}, ${peak(costs["fresh"]!).toFixed(0)} MiB; node -e 0: ${ms(wall(costs["node"]!))}`,
      goal: "≤ 500 ms, ≤ 200 MiB",
      met: open <= 500 && memory <= 200,
    },
  ];
}

function folderOf(space: Workspace, id: string): string {
  const folder = join(space.home, ".pi-go", "sessions", id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Words as often as in a language: the first of them very often, the last hardly ever. */
function vocabulary(): string[] {
  const letters = "etaoinshrdlucmfwypvbgkqjxz";
  const words = ["the"];
  for (let index = 1; index < 20_000; index++) {
    let word = "";
    for (let rest = index * 7_919; rest > 0; rest = Math.floor(rest / 26)) word += letters[rest % 26];
    words.push(word);
  }
  return words;
}

function sentence(words: readonly string[], seed: number): string {
  let state = seed * 2_654_435_761 + 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const text = Array.from({ length: 160 }, () => words[Math.floor(next() ** 4 * words.length)]).join(" ");
  return seed % 9_973 === 7 ? `${text} needle` : text;
}
