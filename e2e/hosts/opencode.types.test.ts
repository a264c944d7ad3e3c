import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { testHost, workspace } from "@pi-ts/testkit";
import ts from "typescript";
import { ROOT } from "../support/pi.ts";

const PUBLISHED = testHost("@opencode-ai/plugin/dist/index.d.ts");
const NEEDS = PUBLISHED === null ? " (skipped: needs npm ci --prefix test-hosts)" : "";
const OURS = join(ROOT, "packages", "remem", "src", "hosts", "opencode", "host-types.ts");

/** Each line holds only if our types take what OpenCode gives, and OpenCode takes what we give. */
const COMPARED = (published: string) => `
import type * as opencode from ${JSON.stringify(published.replace(/\.d\.ts$/, ".js"))};
import type * as ours from ${JSON.stringify(OURS)};

declare const server: (input: ours.HostInput, options?: unknown) => Promise<ours.HostHooks>;
declare const input: opencode.PluginInput;

export const plugin: opencode.Plugin = server;
export const module: opencode.PluginModule = { id: "agentic-remem", server };
export const given: Omit<ours.HostInput, "client"> = input;
export const log: Promise<unknown> = input.client.app.log({ body: { service: "remem", level: "warn", message: "" } });
export const parent = async (): Promise<string | undefined> =>
  (await input.client.session.get({ path: { id: "" } })).data?.parentID;
type Names = keyof ours.HostHooks;
// Every hook of ours is one of theirs.
export const names: keyof opencode.Hooks = "" as Names;
`;

test.skipIf(PUBLISHED === null)(
  `our picture of OpenCode's plugin API fits the published types [B-OC-01][B-PKG-02]${NEEDS}`,
  async () => {
    await using ws = await workspace();
    const file = join(ws.path, "compared.ts");
    writeFileSync(file, COMPARED(PUBLISHED!));
    const program = ts.createProgram([file], {
      target: ts.ScriptTarget.ES2024,
      lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: [],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      allowImportingTsExtensions: true,
    });
    const found = ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file)!)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    expect(found).toEqual([]);
  },
);
