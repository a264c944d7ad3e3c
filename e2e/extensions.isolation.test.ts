/** What else extensions do to the program that they run in: each time the answer is there, alone on stdout, with code 0. */
import { expect, test } from "bun:test";
import { call, modelServer, say, workspace } from "@pi-ts/testkit";
import { pi } from "./support/pi.ts";

interface Unruly {
  source: string;
  /** On stderr. */
  told?: string;
}

const inFactory = (body: string) => `export default (pi) => { ${body} };`;

const CASES: Record<string, Unruly> = {
  "ends the process through an import of its own": {
    source: `import { exit } from "node:process"; ${inFactory(`pi.on("session_start", () => exit(7));`)}`,
    told: "called process.exit()",
  },
  "ends the process without its listeners": {
    source: inFactory(`pi.on("session_start", () => process.reallyExit(7));`),
    told: "called process.reallyExit()",
  },
  "signals its own group": {
    source: inFactory(`pi.on("session_start", () => { process.kill(0, "SIGTERM"); });`),
    told: "called process.kill() on pi itself",
  },
  "leaves the folder through an import of its own": {
    source: `import { chdir } from "node:process"; ${inFactory(`pi.on("session_start", () => chdir("/"));`)}`,
    told: "called process.chdir()",
  },
  "sets the exit code": {
    source: inFactory(`process.exitCode = 7; pi.on("session_shutdown", () => { process.exitCode = 7; });`),
  },
  "takes all listeners away and fails later": {
    source: inFactory(
      `process.removeAllListeners("uncaughtException"); process.removeAllListeners("unhandledRejection"); pi.on("session_start", async () => { Promise.reject(new Error("late")); setTimeout(() => { throw new Error("later"); }, 1); await new Promise((r) => setTimeout(r, 20)); });`,
    ),
    told: "later",
  },
  "rejects with what is no error": {
    source: inFactory(
      `pi.on("session_start", async () => { Promise.reject("plain"); Promise.reject(); await new Promise((r) => setTimeout(r, 20)); });`,
    ),
    told: 'the extension "x" failed in a promise, a worker or a package of its: plain',
  },
  "has a worker that fails": {
    source: inFactory(
      `pi.on("session_start", () => new Promise((done) => { const { Worker } = require("node:worker_threads"); new Worker("throw new Error('in the worker')", { eval: true }).on("exit", () => done()); }));`,
    ),
    told: "in the worker",
  },
  "throws at the end of the process": {
    source: inFactory(
      `process.on("exit", () => { throw new Error("at the end"); }); process.on("beforeExit", () => { setTimeout(() => {}, 1e9); });`,
    ),
  },
  "throws what is no error": {
    source: inFactory(
      `pi.on("session_start", () => { throw null; }); pi.on("agent_start", () => { throw { get message() { throw 1; }, toString() { throw 2; } }; }); pi.on("turn_start", () => Promise.reject());`,
    ),
    told: "failed in session_start",
  },
  "gives results that throw when they are read": {
    source: inFactory(
      `const bad = () => new Proxy({}, { get(_, key) { if (key === "then") return undefined; throw new Error("do not read"); }, ownKeys() { throw new Error("do not list"); } });
       for (const type of ["input", "before_agent_start", "context", "turn_end", "tool_result", "message_end", "resources_discover"]) pi.on(type, bad);`,
    ),
    told: "do not read",
  },
  "gives promises that are none": {
    source: inFactory(
      `pi.on("input", () => ({ then() { throw new Error("no promise"); } })); pi.on("context", () => ({ then: (done) => { done(); done(); } }));`,
    ),
    told: "failed in input: no promise",
  },
  "talks to itself for ever": {
    source: inFactory(
      `pi.events.on("a", () => pi.events.emit("a")); pi.on("session_start", () => pi.events.emit("a"));`,
    ),
  },
  "registers what cannot be used": {
    source: inFactory(
      `for (const wrong of [undefined, null, {}, { name: 7 }, { name: "x" }, { name: "", execute() {} }]) try { pi.registerTool(wrong); } catch {}
       for (const wrong of [undefined, null, {}]) { try { pi.registerCommand("c", wrong); } catch {} try { pi.on("input", wrong); } catch {} try { pi.registerShortcut("f5", wrong); } catch {} try { pi.registerFlag("f", wrong); } catch {} try { pi.registerProvider("p", wrong); } catch {} }
       const round = {}; round.self = round;
       pi.registerTool({ name: "odd name!", description: 7, parameters: round, execute: async () => ({ content: null, details: round }) });`,
    ),
  },
  "opens a server and a worker": {
    source: inFactory(
      `Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") }); new Worker(URL.createObjectURL(new Blob(["setInterval(() => {}, 1)"])));`,
    ),
  },
  "starts a program of its own that stays": {
    source: `import { spawn } from "node:child_process"; ${inFactory(`const child = spawn("sleep", ["600"], { stdio: "inherit" }); pi.on("session_shutdown", () => { child.kill(); });`)}`,
  },
};

test.each(Object.entries(CASES))(
  "an extension that %s does not keep the answer from coming",
  async (_, { source, told }) => {
    await using server = await modelServer();
    await using ws = await workspace({ "x.ts": source });
    server.reply(call("ls", {}));
    server.reply(say("the answer"));
    const result = await pi(ws, ["-e", "x.ts", "-p", "go"], { server });
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "the answer\n" });
    if (told !== undefined) expect(result.stderr).toContain(told);
  },
);
