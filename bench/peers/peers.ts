import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startTerminal, type TerminalProgram, type Workspace, workspace } from "@pi-ts/testkit";
import { type Command, type Cost, median, runOnce } from "../measure.ts";
import { typeKeys } from "../terminal/key-strokes.ts";
import { usageOfTree } from "../terminal/process-usage.ts";
import { PEERS, type Peer, type PeerCall } from "./peer-table.ts";

/** What is measured of one peer; NaN where it could not be had, with the reason in `missing`. Times in milliseconds, memory in MiB. */
export interface PeerFigures {
  name: string;
  version: string;
  start: number;
  startMiB: number;
  /** The same after the long loop and its resume. */
  later: number;
  /** One step of a loop: a model call and a shell command. */
  step50: number;
  step200: number;
  /** What one more step costs, between the two loops: without what only the first steps pay. */
  further: number;
  loopMiB: number;
  /** One prompt in a session of 200 steps. */
  resume: number;
  frame: number;
  /** From a key typed into an empty prompt to its letter on the screen, and the CPU that it costs. */
  key: number;
  keyCpu: number;
  /** Of the program in a terminal, at rest. */
  idleMiB: number;
  missing: Readonly<Record<string, string>>;
}

export interface PeersReport {
  /** `node -e 0`, beside every start. */
  node: number;
  figures: readonly PeerFigures[];
}

export interface PeersSize {
  runs: number;
  /** Steps of the two loops. */
  short: number;
  long: number;
  keys: number;
}

/** A start of less is measured so often in each round. */
const SHORT_MS = 100;
const SHORT_TIMES = 3;
/** What one run of a peer may take: the slowest take half a minute for 200 steps. */
const MOST_MS = 180_000;

/** Every peer on the same scripted work, one run of each in turn, so that what else the machine does hits all alike. Installs them first (npm, `bench/peers`). */
export async function benchPeers(size: PeersSize, tell: (line: string) => void): Promise<PeersReport> {
  install(tell);
  await using service = await peerService();
  await using everyone = await Promise.all(PEERS.map((peer) => subject(peer, service.url))).then((all) =>
    bundle(all, tell),
  );
  const node: number[] = [];
  const costs = everyone.all.map(() => new Map<string, Cost[]>());
  const missing = everyone.all.map(() => ({}) as Record<string, string>);
  const measure = async (index: number, what: string, run: () => Promise<Cost>, counted: boolean) => {
    if (missing[index]![what] !== undefined) return;
    try {
      const cost = await run();
      if (!counted) return;
      const before = costs[index]!.get(what) ?? [];
      costs[index]!.set(what, [...before, cost]);
    } catch (thrown) {
      missing[index]![what] = String(thrown instanceof Error ? thrown.message : thrown).slice(0, 400);
      tell(`${PEERS[index]!.name}: ${what}: ${missing[index]![what]}`);
    }
  };
  for (let round = 0; round <= size.runs; round++) {
    tell(round === 0 ? "a round that is not counted" : `round ${round} of ${size.runs}`);
    const counted = round > 0;
    for (const [index, each] of everyone.all.entries()) {
      const { once, resume } = each.peer;
      // Some milliseconds of a busy moment are much of a short start.
      for (let time = 0; time < SHORT_TIMES; time++) {
        const bare = await runOnce({ argv: ["node", "-e", "0"], cwd: "/", environment: {} });
        if (counted) node.push(bare.wallMs);
        await measure(index, "start", () => runOnce(each.command(once, "hi")), counted);
        const last = costs[index]!.get("start")?.at(-1)?.wallMs;
        if (last === undefined || last > SHORT_MS) break;
      }
      // What a loop leaves behind is not the next one's: each is made in a home without a past.
      await inNewHome(each.peer, service.url, tell, (fresh) =>
        measure(index, "short", () => worked(fresh, size.short, service), counted),
      );
      // The short loop has warmed the machine up for the long one.
      if (!counted) continue;
      await inNewHome(each.peer, service.url, tell, async (fresh) => {
        await measure(index, "long", () => worked(fresh, size.long, service), counted);
        await measure(index, "resume", () => runOnce(fresh.command(resume, "hi")), counted);
        await measure(index, "later", () => runOnce(fresh.command(once, "hi")), counted);
      });
      await measure(index, "frame", () => untilFrame(each), counted);
      if (round === size.runs) await measure(index, "key", () => keyCost(each, size.keys), true);
    }
  }
  const figures = everyone.all.map(({ peer }, index): PeerFigures => {
    const wall = (what: string) => median((costs[index]!.get(what) ?? []).map(({ wallMs }) => wallMs));
    const peak = (what: string) => median((costs[index]!.get(what) ?? []).map(({ peakMiB }) => peakMiB));
    return {
      name: peer.name,
      version: versionOf(peer),
      start: wall("start"),
      startMiB: peak("start"),
      later: wall("later"),
      step50: (wall("short") - wall("start")) / size.short,
      step200: (wall("long") - wall("start")) / size.long,
      further: (wall("long") - wall("short")) / (size.long - size.short),
      loopMiB: peak("long"),
      resume: wall("resume"),
      frame: wall("frame"),
      key: wall("key"),
      keyCpu: median((costs[index]!.get("key") ?? []).map(({ cpuMs }) => cpuMs)),
      idleMiB: peak("key"),
      missing: missing[index]!,
    };
  });
  return { node: median(node), figures };
}

interface Subject extends AsyncDisposable {
  peer: Peer;
  space: Workspace;
  command(argv: readonly string[], prompt: string): Command;
}

async function subject(peer: Peer, url: string): Promise<Subject> {
  const space = await workspace({ "a.txt": "one\n" });
  peer.prepare(space, url);
  const environment = space.env(peer.environment(space, url));
  return {
    peer,
    space,
    command: (argv, prompt) => ({
      argv: argv.map((word) => (word === "{prompt}" ? prompt : word)),
      cwd: space.path,
      environment,
      deadlineMs: MOST_MS,
    }),
    [Symbol.asyncDispose]: () => space[Symbol.asyncDispose](),
  };
}

async function inNewHome(
  peer: Peer,
  url: string,
  tell: (line: string) => void,
  work: (fresh: Subject) => Promise<void>,
): Promise<void> {
  await using home = bundle([await subject(peer, url)], tell);
  await work(home.all[0]!);
}

function bundle(
  all: readonly Subject[],
  tell: (line: string) => void,
): AsyncDisposable & { all: readonly Subject[] } {
  return {
    all,
    async [Symbol.asyncDispose]() {
      for (const each of all)
        try {
          await each[Symbol.asyncDispose]();
        } catch (thrown) {
          // A peer that leaves processes behind is killed, and said to do so; what was measured stays.
          tell(`${each.peer.name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
        }
    },
  };
}

/** A run of so many steps; it counts only when the service was really asked that often. */
async function worked(each: Subject, steps: number, service: PeerService): Promise<Cost> {
  const calls = Array.from({ length: steps }, (_, index) => each.peer.shell(`echo step ${index}`));
  await service.plan(calls);
  const cost = await runOnce(each.command(each.peer.once, "make the steps"));
  const { withTools } = await service.plan([]);
  if (withTools < steps + 1) throw new Error(`only ${withTools - 1} of ${steps} steps were made`);
  return cost;
}

async function untilFrame(each: Subject): Promise<Cost> {
  const started = performance.now();
  await using _ = await ready(each);
  return { wallMs: performance.now() - started, cpuMs: Number.NaN, peakMiB: Number.NaN };
}

/** `wallMs`: from a key to its letter on the screen; `cpuMs`: what one key costs. */
async function keyCost(each: Subject, keys: number): Promise<Cost> {
  await using program = await ready(each);
  await program.settled(1_500);
  const { latenciesMs, cpuMsPerKey } = await typeKeys(program, keys);
  return { wallMs: median(latenciesMs), cpuMs: cpuMsPerKey, peakMiB: usageOfTree(program.pid).residentMiB };
}

async function ready({ command, peer }: Subject): Promise<TerminalProgram> {
  const { argv, cwd, environment } = command(peer.terminal, "");
  const program = startTerminal([...argv], { cwd, env: { ...environment }, cols: 120, rows: 40 });
  try {
    await program.waitFor(() => program.screen().some((row) => peer.ready.test(row)));
    return program;
  } catch (thrown) {
    await program[Symbol.asyncDispose]();
    throw thrown;
  }
}

interface PeerService extends AsyncDisposable {
  url: string;
  /** What the model asks for from now on; gives how many requests declared tools under the last plan. */
  plan(calls: readonly PeerCall[]): Promise<{ withTools: number }>;
}

async function peerService(): Promise<PeerService> {
  const child = Bun.spawn([process.execPath, "--no-env-file", join(import.meta.dir, "peer-service.ts")], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const url = new TextDecoder().decode(value).trim();
  return {
    url,
    async plan(calls) {
      const answer = await fetch(`${url}/plan`, { method: "POST", body: JSON.stringify(calls) });
      return (await answer.json()) as { withTools: number };
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

function install(tell: (line: string) => void): void {
  if (PEERS.every(({ package: name }) => name === null || existsSync(packageFile(name)))) return;
  tell("installing the peers with npm (about 1 GB)");
  const { status } = spawnSync(
    "npm",
    ["ci", "--prefix", import.meta.dir, "--ignore-scripts", "--no-audit", "--no-fund"],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  if (status !== 0) throw new Error("the peers could not be installed: npm ci --prefix bench/peers failed");
}

const packageFile = (name: string) => join(import.meta.dir, "node_modules", name, "package.json");

function versionOf({ package: name }: Peer): string {
  const file = name === null ? join(import.meta.dir, "../../packages/agent/package.json") : packageFile(name);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
