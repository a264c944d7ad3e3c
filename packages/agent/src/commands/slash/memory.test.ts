import { expect, test } from "bun:test";
import { memoryCommand } from "./memory.ts";
import type { MemoryPorts, MemoryReport, ShownMemory, WaitingCorrection } from "./memory-ports.ts";
import { completed, run } from "./test-support/run-command.ts";

const NOW = Date.UTC(2026, 10, 30, 12);

const memory = (more: Partial<ShownMemory> = {}): ShownMemory => ({
  id: "aaaaaaaa11112222",
  shortId: "aaaaaaaa",
  kind: "decision",
  by: "user",
  typed: true,
  at: NOW - 3_600_000,
  state: "active",
  pinned: false,
  line: "we use pnpm",
  text: "we use pnpm",
  scope: "this project",
  host: "pi-ts",
  sessionId: "s1",
  files: [],
  ...more,
});

const REPORT: MemoryReport = {
  enabled: true,
  state: "ready",
  file: "~/.pi-go/memory/claude-mem.db",
  declared: true,
  stores: [{ id: "primary", health: "ok", memories: 1_234, candidates: 2, sessions: 40, vectors: 1_200 }],
  limits: { start: 5_000, prompt: 1_024, lookbackHours: 168 },
  capture: {
    enabled: true,
    stored: 3,
    pending: 0,
    dropped: 0,
    joined: 1,
    excluded: { path: 2 },
    redacted: { "github-token": 1 },
  },
  spent: 0,
};

/** A memory of a few records whose changes are written down. */
function ports(
  records: readonly ShownMemory[] = [memory()],
  report: Partial<MemoryReport> = {},
  corrections: readonly WaitingCorrection[] = [],
) {
  const done: string[] = [];
  const made: MemoryPorts = {
    clock: { now: () => NOW },
    settings: {
      value: () => undefined,
      save: async (path, value) => {
        done.push(`save ${path.join(".")} ${String(value)}`);
        return { file: "~/.pi-go/config.json" };
      },
    },
    memory: {
      enabled: () => report.enabled ?? true,
      declared: () => report.declared ?? true,
      switched: () => done.push("switched"),
      report: async () => ({ ...REPORT, ...report }),
      explain: async () => ({ recall: null, kept: [] }),
      search: async (words) => ({
        memories: records.filter(({ line }) => line.includes(words)),
        problems: [],
      }),
      recent: async (limit) => records.slice(0, limit),
      find: async (id) => records.find((one) => one.id.startsWith(id)) ?? Promise.reject(new Error("none")),
      edit: async (id, wording) => {
        done.push(`edit ${id} ${wording}`);
        return "bbbbbbbb";
      },
      pin: async (id, pinned) => void done.push(`pin ${id} ${pinned}`),
      previewForget: async (what) => {
        done.push(`preview ${JSON.stringify(what)}`);
        return { token: "t", memories: 7, sessions: 2, sample: records.slice(0, 5) };
      },
      forget: async (token) => {
        done.push(`forget ${token}`);
        return { memories: 7, summaries: 1 };
      },
      candidates: async () => records.filter(({ state }) => state === "candidate"),
      corrections: async () => [...corrections],
      settleCorrection: async (id, revision, verdict) => {
        done.push(`${verdict} ${id} ${revision}`);
      },
      approve: async (id) => void done.push(`approve ${id}`),
      reject: async (id) => void done.push(`reject ${id}`),
    },
  };
  return { ports: made, done };
}

test("/memory says where it is, what is recalled, what was kept and left out, and what is in it [A-TUI-02][R13]", async () => {
  const { said } = await run(memoryCommand, "", ports().ports);
  expect(said).toContain("~/.pi-go/memory/claude-mem.db");
  expect(said).toContain("up to 5,000 tokens at the start (of the last 168 hours), 1,024 with a prompt");
  expect(said).toContain(
    "3 pieces in this program; 1 known already; left out: 2 by rule (path); 1 span redacted",
  );
  expect(said).toContain("primary | ok | 1,234 | 2 | 40 | 1,200 of 1,234");
});

test.each([
  [{ enabled: false }, "Memory is off"],
  [{ state: "unavailable" as const, stores: [] }, "the store cannot be opened: work goes on without it"],
  [{ declared: false }, "not in this conversation"],
  [{ spent: 1_500 }, "1,500 tokens in this program"],
])("/memory tells of %j", async (report, words) => {
  expect((await run(memoryCommand, "status", ports([], report).ports)).said).toContain(words);
});

test("/memory explain tells of the decision, the hits and what became of what was said [R14]", async () => {
  const { ports: made } = ports();
  made.memory.explain = async () => ({
    recall: {
      kind: "prompt",
      decision: "not_relevant",
      prompt: "which manager?",
      relevance: 0.31,
      tokens: 0,
      budget: 1_024,
      milliseconds: 12.4,
      attempts: [{ provider: "team", outcome: "timed_out", found: 0, milliseconds: 500 }],
      hits: [{ shortId: "aaaaaaaa", fate: "over_budget", score: 0.5, line: "we use pnpm" }],
    },
    kept: [{ kind: "toolnote", outcome: "excluded", reason: "path" }],
  });
  const { said } = await run(memoryCommand, "explain", made);
  expect(said).toContain("decision | what was found says too little about it");
  expect(said).toContain("team | gave nothing: timed out");
  expect(said).toContain("aaaaaaaa | no room | 0.50 | we use pnpm");
  expect(said).toContain("toolnote | excluded | path");
});

test("/memory forget asks with a preview, and erases nothing without a yes [R10]", async () => {
  const { ports: made, done } = ports();
  const no = await run(memoryCommand, "forget aaaa", made, { answers: [false] });
  expect(no.said).toBe("Nothing was erased.");
  expect(no.dialogs.confirms[0]?.title).toBe("Erase 7 memories of 2 sessions for good?");
  expect(done).toEqual(['preview {"ids":["aaaaaaaa11112222"]}']);
  const yes = await run(memoryCommand, "forget session", made, { answers: [true] });
  expect(yes.said).toStartWith("7 memories and 1 summary erased.");
  expect(done.slice(1)).toEqual(['preview "session"', "forget t"]);
});

test("/memory forget without a word lets a person choose; Esc erases nothing [R10]", async () => {
  const { ports: made, done } = ports();
  expect((await run(memoryCommand, "forget", made, { answers: [null] })).said).toBe("Nothing was erased.");
  await run(memoryCommand, "forget", made, { answers: ["we use pnpm", true] });
  expect(done).toEqual(['preview {"ids":["aaaaaaaa11112222"]}', "forget t"]);
});

test("/memory review keeps, changes, rejects, or leaves for later, and Esc leaves the rest waiting", async () => {
  const waiting = ["1", "2", "3", "4", "5"].map((id) =>
    memory({ id, state: "candidate", text: `text ${id}` }),
  );
  const { ports: made, done } = ports(waiting);
  const answers = ["Keep", "Reject", "Change", "other words", "later", null];
  const { said } = await run(memoryCommand, "review", made, { answers });
  expect(done).toEqual(["approve 1", "reject 2", "approve 3", "edit 3 other words"]);
  expect(said).toBe("1 kept, 1 changed and kept, 1 rejected; 2 still wait.");
  expect((await run(memoryCommand, "review", ports().ports)).said).toBe("Nothing waits for your word.");
});

test("/memory review settles corrections: one that does not hold cannot be applied [B-CORE-09]", async () => {
  const correction = (id: string, findings: string[] = []): WaitingCorrection => ({
    id,
    revision: 2,
    prompt: "which port?",
    statement: "The port is 9090.",
    findings,
  });
  const { ports: made, done } = ports([], {}, [
    correction("a"),
    correction("b", ["it is not recalled"]),
    correction("c"),
  ]);
  const { said, dialogs } = await run(memoryCommand, "review", made, {
    answers: ["Apply", "Reject", "later"],
  });
  expect(done).toEqual(["apply a 2", "reject b 2"]);
  expect(said).toBe("0 kept, 0 changed and kept, 0 rejected, 2 corrections settled; 1 still wait.");
  expect(dialogs.choices.map(({ choices }) => choices.length)).toEqual([3, 2, 3]);
});

test("/memory edit asks for one line, takes a wording as it is given, and refuses to squeeze several lines into a question", async () => {
  const { ports: made, done } = ports();
  await run(memoryCommand, "edit aaaa", made, { answers: ["we use bun"] });
  await run(memoryCommand, "edit aaaa we use deno", made);
  expect((await run(memoryCommand, "edit aaaa", made, { answers: [null] })).said).toBe(
    "Nothing was changed.",
  );
  expect(done).toEqual(["edit aaaaaaaa11112222 we use bun", "edit aaaaaaaa11112222 we use deno"]);
  const long = await run(memoryCommand, "edit aaaa", ports([memory({ text: "one\ntwo" })]).ports);
  expect(long.failed).toBe(true);
});

test("/memory pin and unpin change one memory", async () => {
  const { ports: made, done } = ports();
  await run(memoryCommand, "pin aaaa", made);
  await run(memoryCommand, "unpin aaaa", made);
  expect(done).toEqual(["pin aaaaaaaa11112222 true", "pin aaaaaaaa11112222 false"]);
});

test("/memory off and on are saved and act at once; where nothing was recalled that begins later [A-MEM-10]", async () => {
  const { ports: made, done } = ports([], { declared: false });
  expect((await run(memoryCommand, "off", made)).said).toContain("Saved in ~/.pi-go/config.json.");
  expect((await run(memoryCommand, "on", made)).said).toContain("from the next conversation on");
  expect(done).toEqual(["save memory.enabled false", "switched", "save memory.enabled true", "switched"]);
});

test.each(["show", "edit", "pin", "unpin"])(
  "/memory %s without an id says where ids come from",
  async (word) => {
    const { said, failed } = await run(memoryCommand, word, ports().ports);
    expect(failed).toBe(true);
    expect(said).toContain("/memory recent and /memory search show ids.");
  },
);

test("/memory search tells a store that gave no answer from one without a hit [R01]", async () => {
  const { ports: made } = ports();
  expect((await run(memoryCommand, "search pnpm", made)).said).toContain(
    "aaaaaaaa | decision | user (typed)",
  );
  expect((await run(memoryCommand, "search yarn", made)).said).toContain(
    'Nothing is remembered about "yarn" here.',
  );
  made.memory.search = async () => ({ memories: [], problems: ["memory cannot be opened (busy)"] });
  const broken = await run(memoryCommand, "search yarn", made);
  expect(broken.failed).toBe(true);
  expect(broken.said).toBe("Not looked at: memory cannot be opened (busy).");
});

test("words and ids are completed, and ids of memories only where memory is on", async () => {
  const { ports: made } = ports();
  expect(await completed(memoryCommand, "for", made)).toEqual(["forget"]);
  expect(await completed(memoryCommand, "forget ", made)).toEqual([
    "forget session",
    "forget project",
    "forget aaaaaaaa",
  ]);
  expect(await completed(memoryCommand, "show a", ports([memory()], { enabled: false }).ports)).toEqual([]);
});
