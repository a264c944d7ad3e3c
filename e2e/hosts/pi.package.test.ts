/** The extension as a package: one file, what it needs beside it, and nothing else. */
import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelServer, say, workspace } from "@pi-ts/testkit";
import { readHandshake } from "../../packages/remem/src/hosts/shared/handshake.ts";
import { stateEarlier } from "../support/memory.ts";
import { agentFolder, EXTENSION, MISSING, PACKAGE, RUNTIMES, runPi } from "./pi-host.ts";

const BUILT = existsSync(EXTENSION) ? "" : " (needs the built extension: npm run build hosts)";
const MANIFEST = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as {
  readonly keywords: readonly string[];
  readonly pi: { readonly extensions: readonly string[] };
  readonly exports: Readonly<Record<string, string>>;
};

test(`the manifest names the built extension, for Pi and for whoever imports it [B-PKG-01]`, () => {
  expect(MANIFEST.keywords).toContain("pi-package");
  expect(MANIFEST.pi.extensions.map((path) => join(PACKAGE, path))).toEqual([EXTENSION]);
  expect(MANIFEST.exports["./pi"]).toBe(MANIFEST.pi.extensions[0]!);
  expect(MANIFEST.exports["./core"]).toBeDefined();
});

test.skipIf(BUILT !== "")(
  `the built extension needs nothing but its runtime, and pg where storage says postgres [B-PKG-01]${BUILT}`,
  () => {
    const source = readFileSync(EXTENSION, "utf8");
    const { imports } = new Bun.Transpiler({ loader: "js" }).scan(source);
    const foreign = imports.map(({ path }) => path).filter((path) => !/^(node|bun):/.test(path));
    expect(foreign.sort()).toEqual(["../../assets/static-20k.bin", "pg"]);
  },
);

test.skipIf(MISSING !== "").each(RUNTIMES)(
  `the package's folder works wherever it is copied to, on Pi on $name [B-PKG-01]${MISSING}`,
  async (runtime) => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    await stateEarlier(ws, ["Remember: the staging deploy goes through blue-lantern.sh."]);
    const copy = join(ws.outside, "memory of pi");
    for (const path of ["package.json", "dist/hosts/pi.js", "assets/static-20k.bin"])
      cpSync(join(PACKAGE, path), join(copy, path), { recursive: true });
    mkdirSync(agentFolder(ws), { recursive: true });
    writeFileSync(join(agentFolder(ws), "settings.json"), JSON.stringify({ packages: [copy] }));
    server.reply(say("done"));
    const result = await runPi(ws, server, ["-p", "How do we deploy to staging?"], {
      runtime,
      extensions: [],
    });
    expect(result).toMatchObject({ code: 0, stdout: "done\n", stderr: "" });
    expect(server.request(1).text).toContain("blue-lantern");
    const loaded = readHandshake({ globalFolder: join(ws.home, ".pi-go") }, "pi");
    expect(loaded!.adapterPath).toBe(join(copy, "dist", "hosts", "pi.js"));
  },
);
