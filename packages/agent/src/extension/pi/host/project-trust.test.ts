import { expect, test } from "bun:test";
import { join } from "node:path";
import { extensionBench } from "../test-support/extension-bench.ts";

/** A project whose own extension shows by a command that the project acts. */
const PROJECT = {
  ".pi-go/extensions/own.ts": `export default (pi) => {
    pi.on("project_trust", () => { throw new Error("a project was asked about itself"); });
    pi.registerCommand("own", { handler: async (_, ctx) => ctx.ui.notify("acts") });
  };`,
};

/** An extension of the user's that answers like this. */
const answering = (answer: string) =>
  `export default (pi) => { pi.on("project_trust", () => (${answer})); };`;

const acts = (bench: { app: { extensions: { commands(): readonly { name: string }[] } } }) =>
  bench.app.extensions.commands().some(({ name }) => name === "own");

test("a project that an extension of the user's trusts acts in this run, and a person is told who decided", async () => {
  await using bench = await extensionBench({
    files: PROJECT,
    extensions: { "judge.ts": answering(`{ trusted: "yes" }`) },
  });
  expect(acts(bench)).toBe(true);
  expect(bench.told()).toEqual([
    expect.stringMatching(/^the extension "judge" trusts .*\.pi-go for this run$/),
  ]);
});

test("an extension's no keeps a project from acting", async () => {
  await using bench = await extensionBench({
    files: PROJECT,
    extensions: { "judge.ts": answering(`{ trusted: "no" }`) },
  });
  expect(acts(bench)).toBe(false);
  expect(bench.told()).toEqual([
    expect.stringMatching(/^the extension "judge" does not trust .*, so nothing/),
  ]);
});

test("the first yes or no counts: who comes before is undecided, who comes later is not asked", async () => {
  await using bench = await extensionBench({
    files: PROJECT,
    extensions: {
      "a.ts": answering(`{ trusted: "undecided" }`),
      "b.ts": answering(`{ trusted: "no" }`),
      "c.ts": answering(`(globalThis.askedLate = true, { trusted: "yes" })`),
    },
  });
  expect(acts(bench)).toBe(false);
  expect("askedLate" in globalThis).toBe(false);
});

test("where no extension decides, the project is trusted only by what the person said before", async () => {
  await using bench = await extensionBench({
    files: PROJECT,
    extensions: { "judge.ts": answering(`{ trusted: "undecided" }`) },
  });
  expect(acts(bench)).toBe(false);
  expect(bench.told()).toEqual([expect.stringContaining("is not trusted, so nothing in it acts")]);
});

test("an answer that is none of the three, and one that is thrown, are told with the extension's name and decide nothing", async () => {
  await using bench = await extensionBench({
    files: PROJECT,
    extensions: {
      "odd.ts": answering(`({ trusted: true })`),
      "broken.ts": answering(`(() => { throw new Error("no idea"); })()`),
    },
  });
  expect(acts(bench)).toBe(false);
  const told = bench.told().join("\n");
  expect(told).toMatch(/"odd".*\{"trusted":true\}/);
  expect(told).toMatch(/"broken".*no idea/);
});

test("a remembered yes holds for exactly what the project has now, without the extension", async () => {
  await using bench = await extensionBench({
    files: PROJECT,
    extensions: { "judge.ts": answering(`{ trusted: "yes", remember: true }`) },
  });
  expect((await bench.settings(["--no-extensions"])).trusted).toBe(true);
  bench.ws.write(".pi-go/extensions/own.ts", "export default () => undefined;");
  expect((await bench.settings(["--no-extensions"])).trusted).toBe(false);
});

test("a remembered no takes back the trust that was given", async () => {
  await using bench = await extensionBench({
    files: PROJECT,
    extensions: {
      "judge.ts": answering(`{ trusted: "yes", remember: true }`),
    },
  });
  expect((await bench.settings(["--no-extensions"])).trusted).toBe(true);
  // By name it comes before the other one.
  const doubter = join(bench.ws.home, ".pi-go", "extensions", "doubter.ts");
  bench.ws.write(doubter, answering(`{ trusted: "no", remember: true }`));
  const judged = await bench.settings([]);
  await judged.early?.close();
  expect(judged.trusted).toBe(false);
  expect((await bench.settings(["--no-extensions"])).trusted).toBe(false);
});

test("--trust asks no extension", async () => {
  await using bench = await extensionBench({
    files: PROJECT,
    extensions: { "judge.ts": answering(`{ trusted: "no" }`) },
    argv: ["--trust"],
  });
  expect(acts(bench)).toBe(true);
});

test("an extension that was asked is loaded once, and goes on in the conversation", async () => {
  await using bench = await extensionBench({
    files: PROJECT,
    extensions: {
      "judge.ts": `globalThis.judges = (globalThis.judges ?? 0) + 1;
        export default (pi) => {
          pi.on("project_trust", (event, ctx) => {
            globalThis.judgeSaw = [event.cwd, Object.keys(ctx).sort().join(), ctx.hasUI, Object.keys(ctx.ui).sort().join()];
            return { trusted: "yes" };
          });
          pi.registerCommand("judges", { handler: async (_, ctx) => ctx.ui.notify(String(globalThis.judges)) });
        };`,
    },
  });
  const answer = (await bench.run("/judges")).at(-1);
  expect(answer).toMatchObject({ text: "1" });
  expect((globalThis as Record<string, unknown>)["judgeSaw"]).toEqual([
    bench.ws.path,
    "cwd,hasUI,mode,ui",
    false,
    "confirm,input,notify,select",
  ]);
});

test("what was trusted for this run is so when the settings are read again, until a byte of it changes", async () => {
  await using bench = await extensionBench({
    files: PROJECT,
    extensions: { "judge.ts": answering(`{ trusted: "yes" }`) },
  });
  const first = await bench.settings([]);
  await first.early?.close();
  expect(first.trusted).toBe(true);
  expect((await bench.settings([], first.trustedAs)).trusted).toBe(true);
  bench.ws.write(".pi-go/extensions/own.ts", "export default () => undefined;");
  expect((await bench.settings([], first.trustedAs)).trusted).toBe(false);
});
