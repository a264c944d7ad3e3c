/** Installed extensions that pi has compiled, in the built executable: they act as their files do, and never when those have changed. */
import { expect, test } from "bun:test";
import { readdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { leftovers, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { compile, compiledFiles, install, modulesFolder, says } from "./support/installed.ts";
import { pi } from "./support/pi.ts";
import { stateFolder } from "./support/state.ts";

async function said(ws: Workspace, command: string): Promise<string> {
  await using server = await modelServer();
  const { code, stdout, stderr } = await pi(ws, ["-p", `/${command}`], { server });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.trim();
}

/** Everything that a module can know of its place, its imports and its exports. */
const PROBE = `
import { createRequire } from "node:module";
import path, { join } from "node:path";
import * as fs from "node:fs";
import data from "./data.json" with { type: "json" };
import cjs, { named } from "dep-cjs";
import marked, * as markedAll from "dep-marked";
import { Type } from "typebox";
import { Text } from "@earendil-works/pi-tui";
import { ParseError as One } from "./errors-one.ts";
import { ParseError as Two } from "./errors-two.ts";
import { early, late } from "./cycle-one.ts";
import { count, raise, viaStar } from "./star.ts";
import { order } from "./order.ts";
import "./side-effect.ts";
import { entryOf } from "#inner";
export { count as counted } from "./star.ts";
const self = this;
function loose() { return this; }
const computed = "./computed" + ".ts";
const text = "import('./computed.ts') and import.meta.url and require('x')";
let frozen; try { Object.freeze({ a: 1 }).a = 2; frozen = "let through"; } catch { frozen = "refused"; }
export const probe = async () => {
  raise();
  const dynamic = await import("./dynamic.ts");
  const failing = await import("./failing.ts").catch((error) => error.message);
  const gone = await import("./" + "gone.ts").catch((error) => error.constructor.name);
  return JSON.stringify({
    meta: [import.meta.url, import.meta.dir, import.meta.dirname, import.meta.file, import.meta.filename, import.meta.path, import.meta.main, typeof import.meta.env],
    resolved: [import.meta.resolve("./data.json"), import.meta.resolve("dep-cjs"), require.resolve("dep-cjs"), createRequire(import.meta.url).resolve("./data.json"), new URL("./u.txt", import.meta.url).href],
    commonjs: [__filename, __dirname, typeof module, typeof require, String(self)],
    strict: [loose() === undefined, frozen],
    imports: [data, cjs(), named, marked, Object.keys(markedAll), typeof Type.Object, typeof Text, typeof path.join, typeof join, typeof fs.readFileSync, require("dep-cjs")(), entryOf],
    names: [One.name, Two.name, new One("m") instanceof Two, new Two("m").kind],
    cycle: [early, late()],
    live: [count, viaStar],
    order,
    dynamic: [Object.keys(dynamic), dynamic.default, (await import("./dynamic.ts")) === dynamic, (await import(computed)).value, (await import("node:os")).EOL, failing, gone],
    text,
    environment: [process.env.NODE_ENV ?? "none", typeof process.browser],
  });
};`;

const PROBE_FILES = {
  "index.ts": `import { probe } from "./probe.ts";\n${says("probe", "probe()")}`,
  "package.json": JSON.stringify({
    name: "probe",
    version: "1.0.0",
    type: "module",
    imports: { "#inner": "./inner.js" },
    pi: { extensions: ["./index.ts"] },
  }),
  "inner.js": "export const entryOf = import.meta.filename;",
  "probe.ts": PROBE,
  "data.json": `{"of": "data"}`,
  "errors-one.ts": "export class ParseError extends Error { kind = this.constructor.name; }",
  "errors-two.ts": `export class ParseError extends Error { kind = this.constructor.name; }`,
  "cycle-one.ts": `import { two } from "./cycle-two.ts"; export { helped } from "./cycle-help.ts"; export function late() { return two(); } export const early = two() + " early";`,
  "cycle-two.ts": `import { late, helped } from "./cycle-one.ts"; export function two() { return typeof late + " " + helped(); } export const atOnce = two();`,
  "cycle-help.ts": `import "./cycle-two.ts"; export function helped() { return "helped"; }`,
  "star.ts": `export * from "./counter.ts"; export { count as viaStar } from "./counter.ts";`,
  "counter.ts": "export let count = 0; export function raise() { count++; }",
  "order.ts": `import "./order-a.ts"; import "dep-order"; import "./order-b.ts"; export const order = globalThis.order.join(" ");`,
  "order-a.ts": `globalThis.order = [...(globalThis.order ?? []), "a"];`,
  "order-b.ts": `globalThis.order.push("b");`,
  "side-effect.ts": "globalThis.ran = (globalThis.ran ?? 0) + 1;",
  "dynamic.ts": "export const zulu = 1; export const alpha = 2; export default globalThis.ran;",
  "computed.ts": "export const value = 'computed';",
  "failing.ts": "throw new Error('at its top level');",
};

const dependency = (source: string, type = "commonjs") => ({
  extensions: [],
  files: { "package.json": JSON.stringify({ type, main: "index.js" }), "index.js": source },
});

const PROBED = {
  probe: { extensions: ["./index.ts"], files: PROBE_FILES },
  "dep-cjs": dependency(
    "module.exports = function () { return this === undefined ? 'strict' : 'sloppy'; }; module.exports.named = 3;",
  ),
  "dep-marked": dependency(
    "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 'the default'; exports.other = 1;",
  ),
  "dep-order": dependency("globalThis.order = [...(globalThis.order ?? []), 'dep'];", "module"),
};

test("a compiled module knows, imports and exports what its file does", async () => {
  await using ws = await workspace();
  install(ws, PROBED);
  const native = await said(ws, "probe");
  expect(native).toStartWith(`as it is {"meta":["file://`);
  expect(await compile(ws, "probe/index.ts")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(compiledFiles(ws).sets[0]!.refused).toEqual([]);
  expect(await said(ws, "probe")).toBe(native.replace("as it is", "compiled"));
  expect(leftovers(ws.marker)).toEqual([]);
});

test("a file that is changed, added or taken away is seen at the next start", async () => {
  await using ws = await workspace();
  const folder = join(modulesFolder(ws), "seen");
  install(ws, {
    seen: {
      extensions: ["./index.ts"],
      files: {
        "index.ts": `import { value } from "./value"; import { other } from "other";\n${says("seen", "value + other")}`,
        "value.ts": "export const value = 'one ';",
      },
    },
    other: dependency("export const other = 'outer';", "module"),
  });
  const remade = async () => {
    await compile(ws, "seen/index.ts");
    return await said(ws, "seen");
  };
  expect(await remade()).toBe("compiled one outer");
  ws.write(join(folder, "value.ts"), "export const value = 'two ';");
  expect(await said(ws, "seen")).toBe("as it is two outer");
  expect(await remade()).toBe("compiled two outer");
  // It comes before value.ts.
  ws.write(join(folder, "value.js"), "export const value = 'three ';");
  expect(await said(ws, "seen")).toBe("as it is three outer");
  expect(await remade()).toBe("compiled three outer");
  rmSync(join(folder, "value.js"));
  expect(await said(ws, "seen")).toBe("as it is two outer");
  expect(await remade()).toBe("compiled two outer");
  ws.write(join(folder, "node_modules/other/package.json"), `{"type":"module","main":"index.js"}`);
  ws.write(join(folder, "node_modules/other/index.js"), "export const other = 'inner';");
  expect(await said(ws, "seen")).toBe("as it is two inner");
});

test("entries of one package, and packages that depend on the same, share what it keeps", async () => {
  await using ws = await workspace();
  const entry = (name: string, from: string) =>
    `import { next } from ${JSON.stringify(from)};\n${says(name, "next()")}`;
  const both = `import { next } from "keeper"; import { own } from "./own.ts"; own.push("once"); ${says("third", "[next(), own.length, (await import('keeper')).next()].join()")}`;
  install(ws, {
    one: {
      extensions: ["./a.ts", "./b.ts"],
      files: {
        "own.ts": "export const own = []; export const next = () => own.push(1);",
        "a.ts": `import { next } from "./own.ts"; import { next as kept } from "keeper"; export const loaded = [next(), kept()];\n${says("first", "[next(), kept()].join()")}`,
        "b.ts": `import { next } from "./own.ts"; import { next as kept } from "keeper"; export const loaded = [next(), kept()];\n${says("second", "[next(), kept()].join()")}`,
      },
    },
    two: { extensions: ["./index.ts"], files: { "index.ts": both, "own.ts": "export const own = [];" } },
    plain: { extensions: ["./index.ts"], files: { "index.ts": entry("fourth", "keeper") } },
    keeper: dependency("let count = 0; export const next = () => ++count;", "module"),
  });
  const answers = async () => [
    await said(ws, "first"),
    await said(ws, "second"),
    await said(ws, "third"),
    await said(ws, "fourth"),
  ];
  const native = await answers();
  expect(native).toEqual(["as it is 3,3", "as it is 3,3", "as it is 3,1,4", "as it is 3"]);
  await compile(ws, "one/a.ts", "one/b.ts", "two/index.ts", "plain/index.ts");
  expect(await answers()).toEqual(native.map((answer) => answer.replace("as it is", "compiled")));
});

test("what cannot be compiled is loaded as it is, with all that it shares, and this is remembered", async () => {
  await using ws = await workspace();
  install(ws, {
    waits: {
      extensions: ["./index.ts"],
      files: {
        "index.ts": `import { shared } from "shared"; import { late } from "./late.ts"; shared.push("waits"); ${says("waits", "[late, shared].join()")}`,
        "late.ts": "export const late = await Promise.resolve('late');",
      },
    },
    shares: {
      extensions: ["./index.ts"],
      files: { "index.ts": `import { shared } from "shared"; ${says("shares", "shared.join()")}` },
    },
    apart: { extensions: ["./index.ts"], files: { "index.ts": says("apart", "'alone'") } },
    entry: {
      extensions: ["./index.ts"],
      files: {
        "index.ts": `const { default: rest } = await import("./rest.ts"); export default rest;`,
        "rest.ts": says("entry", "'rest'"),
      },
    },
    shared: dependency("export const shared = [];", "module"),
  });
  await compile(ws, "waits/index.ts", "shares/index.ts", "apart/index.ts", "entry/index.ts");
  expect(await said(ws, "waits")).toBe("as it is late,waits");
  expect(await said(ws, "shares")).toBe("as it is waits");
  expect(await said(ws, "apart")).toBe("compiled alone");
  expect(await said(ws, "entry")).toBe("compiled rest");
  const refused = compiledFiles(ws).sets[0]!.refused.map(([file]) =>
    file.slice(modulesFolder(ws).length + 1),
  );
  expect(refused.sort()).toEqual(["shares/index.ts", "waits/index.ts"]);
});

test("what people write themselves is never compiled: their folders, a project's, and a package that is linked", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  install(ws, { linked: { extensions: ["./index.ts"], files: {} } });
  const folder = join(modulesFolder(ws), "linked");
  ws.write(join(ws.outside, "linked/package.json"), `{"name":"linked","pi":{"extensions":["./index.ts"]}}`);
  ws.write(join(ws.outside, "linked/index.ts"), says("linked", "'l'"));
  rmSync(folder, { recursive: true });
  symlinkSync(join(ws.outside, "linked"), folder);
  ws.write(join(stateFolder(ws), "extensions/mine.ts"), says("mine", "'m'"));
  await compile(ws, "linked/index.ts", "../../extensions/mine.ts");
  expect(compiledFiles(ws)).toMatchObject({ sets: [], code: [] });
  expect([await said(ws, "linked"), await said(ws, "mine")]).toEqual(["as it is l", "as it is m"]);
  const project = join(ws.path, ".pi-go/extensions/project/node_modules/inner/index.ts");
  ws.write(project, says("project", "'p'"));
  ws.write(
    join(ws.path, ".pi-go/extensions/project/package.json"),
    `{"pi":{"extensions":["./node_modules/inner/index.ts"]}}`,
  );
  await pi(ws, ["--compile-extensions", "--", project]);
  const answer = await pi(ws, ["--trust", "-p", "/project"], { server });
  expect(answer.stdout).toBe("as it is p\n");
});

test("a fault of a compiled extension carries its name, beside another one", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const fails = (name: string) =>
    `export default (pi) => { pi.on("agent_start", () => { setTimeout(() => { throw new Error("from ${name}"); }, 0); }); };`;
  const slow = `export default (pi) => { pi.on("agent_end", () => new Promise((done) => setTimeout(done, 50))); };`;
  install(ws, {
    first: {
      extensions: ["./index.ts"],
      files: {
        "index.ts": `import "./fails.ts"; ${slow}`,
        "fails.ts": "globalThis.fail = () => { throw new Error('in first'); };",
      },
    },
    second: { extensions: ["./index.ts"], files: { "index.ts": fails("second") } },
    third: {
      extensions: ["./index.ts"],
      files: {
        "index.ts": `export default (pi) => { pi.on("agent_start", () => { setTimeout(globalThis.fail, 0); }); pi.on("session_start", () => { process.exit(3); }); };`,
      },
    },
  });
  await compile(ws, "first/index.ts", "second/index.ts", "third/index.ts");
  server.reply(say("done"));
  const { code, stdout, stderr } = await pi(ws, ["-p", "go"], { server });
  expect([code, stdout]).toEqual([0, "done\n"]);
  expect(compiledFiles(ws).sets[0]!.modules).toHaveLength(4);
  expect(stderr).toMatch(/"second" failed in a timer or event of its: .*from second/);
  expect(stderr).toMatch(/"first" failed in a timer or event of its: .*in first/);
  expect(stderr).toMatch(/"third".*process\.exit\(\)/);
});

const SMALL = { small: { extensions: ["./index.ts"], files: { "index.ts": says("small", "'answer'") } } };

test("a cache that is cut short, not ours to read or not there at all is passed over in silence", async () => {
  await using ws = await workspace();
  install(ws, SMALL);
  const again = async () => {
    rmSync(compiledFiles(ws).folder, { recursive: true, force: true });
    await compile(ws, "small/index.ts");
    expect(await said(ws, "small")).toBe("compiled answer");
    return compiledFiles(ws);
  };
  const { code } = await again();
  for (const file of code) {
    await again();
    const now = compiledFiles(ws).code.find((path) => path.split("/").at(-1) === file.split("/").at(-1))!;
    truncateSync(now, 40);
    expect(await said(ws, "small")).toBe("as it is answer");
  }
  const { folder } = await again();
  const set = join(folder, readdirSync(folder).find((name) => name.endsWith(".json"))!);
  for (const text of ["", "{", "null", "[]", "{}", `{"program":1}`]) {
    writeFileSync(set, text);
    expect(await said(ws, "small")).toBe("as it is answer");
  }
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "a file");
  expect(await compile(ws, "small/index.ts")).toMatchObject({ code: 1, stdout: "", stderr: "" });
  expect(await said(ws, "small")).toBe("as it is answer");
});

test("two helpers at once leave one set that works, and nothing else that lasts", async () => {
  await using ws = await workspace();
  install(ws, SMALL);
  const both = await Promise.all([compile(ws, "small/index.ts"), compile(ws, "small/index.ts")]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await said(ws, "small")).toBe("compiled answer");
  const { folder, sets, code } = compiledFiles(ws);
  expect(sets).toHaveLength(1);
  for (const path of [folder, ...code]) expect(statSync(path).mode & 0o077).toBe(0);
  expect(leftovers(ws.marker)).toEqual([]);
});

test("the four sets that were made last are kept", async () => {
  await using ws = await workspace();
  const names = ["a", "b", "c", "d", "e"];
  install(
    ws,
    Object.fromEntries(
      names.map((name) => [name, { extensions: ["./index.ts"], files: { "index.ts": says(name, "1") } }]),
    ),
  );
  for (const name of names) await compile(ws, `${name}/index.ts`);
  const { sets, code } = compiledFiles(ws);
  const kept = sets.map(({ modules: [module] }) => module!.path.split("/").at(-2)!);
  expect(kept.sort()).toEqual(["b", "c", "d", "e"]);
  expect(code).toHaveLength(8);
});

test("PI_EXTENSION_CACHE=off has everything loaded as it is, and compiles nothing", async () => {
  await using ws = await workspace();
  await using server = await modelServer();
  install(ws, SMALL);
  await compile(ws, "small/index.ts");
  const env = { PI_EXTENSION_CACHE: "off" };
  expect((await pi(ws, ["-p", "/small"], { server, env })).stdout.trim()).toBe("as it is answer");
  rmSync(compiledFiles(ws).folder, { recursive: true });
  const module = join(modulesFolder(ws), "small/index.ts");
  expect((await pi(ws, ["--compile-extensions", "--", module], { env })).code).toBe(1);
  expect(compiledFiles(ws).sets).toEqual([]);
});

test("a package that changes its own files at every start is not compiled without end", async () => {
  await using ws = await workspace();
  install(ws, SMALL);
  const changed = join(modulesFolder(ws), "small/index.ts");
  for (let round = 0; round < 8; round++) {
    writeFileSync(changed, says("small", `${round}`));
    await compile(ws, "small/index.ts");
  }
  expect(await said(ws, "small")).toBe("as it is 7");
});

test("what fails while it runs compiled is loaded as it is, and a fault names its own file", async () => {
  await using ws = await workspace();
  await using server = await modelServer();
  const failing = (which: string) =>
    `globalThis.tries = (globalThis.tries ?? 0) + 1;
if (process.env.FAIL === "${which}" || (process.env.FAIL === "first" && globalThis.tries === 1)) throw new Error("no luck");
${says("small", "globalThis.tries")}`;
  install(ws, { small: { extensions: ["./index.ts"], files: { "index.ts": failing("always") } } });
  await compile(ws, "small/index.ts");
  expect(await said(ws, "small")).toBe("compiled 1");
  const second = await pi(ws, ["-p", "/small"], { server, env: { FAIL: "first" } });
  expect(second.stdout.trim()).toBe("as it is 2");
  server.reply(say("done"));
  const never = await pi(ws, ["-p", "go"], { server, env: { FAIL: "always" } });
  expect(never).toMatchObject({ code: 0, stdout: "done\n" });
  expect(never.stderr).toMatch(/"small".*no luck/);
});
