import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { testHost, workspace } from "@pi-ts/testkit";
import ts from "typescript";
import { ROOT } from "../support/pi.ts";

const PUBLISHED = testHost("@earendil-works/pi-coding-agent/dist/index.d.ts");
const NEEDS = PUBLISHED === null ? " (needs Pi: npm ci --prefix test-hosts)" : "";

/** Each line holds only if our types take what Pi gives, and Pi takes what we give. */
const COMPARED = (published: string) => `
import type * as pi from ${JSON.stringify(published.replace(/\.d\.ts$/, ".js"))};
import type * as ours from ${JSON.stringify(join(ROOT, "packages", "remem", "src", "hosts", "pi", "host-types.ts"))};

declare const api: pi.ExtensionAPI;
declare const context: pi.ExtensionContext;
declare const handlers: ours.PiHandlers;

// What Pi hands out.
export const facts: Omit<ours.PiContext, "modelRegistry"> = context;
export const names: ReturnType<ours.PiApi["getAllTools"]> = api.getAllTools();
export const prompt = (event: pi.BeforeAgentStartEvent): ours.PiBeforeAgentStart => event;
export const input = (event: pi.InputEvent): ours.PiInput => event;
export const start = (event: pi.SessionStartEvent): ours.PiSessionStart => event;
export const shutdown = (event: pi.SessionShutdownEvent): ours.PiSessionShutdown => event;
export const result = (event: pi.ToolResultEvent): ours.PiToolResult => event;
export const settled = (event: pi.AgentSettledEvent): ours.PiAgentSettled => event;
export const compacting = (event: pi.SessionBeforeCompactEvent): Omit<ours.PiBeforeCompact, "preparation"> => event;
export const leaving = (event: pi.SessionBeforeTreeEvent): Pick<ours.PiBeforeTree, "signal"> => event;
export const kept: (event: pi.SessionBeforeCompactEvent) => Pick<ours.PiBeforeCompact["preparation"], "firstKeptEntryId" | "tokensBefore" | "previousSummary" | "fileOps"> = (event) => event.preparation;

// What Pi is handed.
api.on("session_start", async (event, given) => handlers.session_start(event, given as never));
api.on("input", async (event, given) => { await handlers.input(event, given as never); });
api.on("agent_settled", async (event, given) => handlers.agent_settled(event, given as never));
export const summary = (made: { compaction: Omit<ours.PiCompaction, "usage"> }): pi.SessionBeforeCompactResult => made;
export const branch = (made: { summary: { summary: string } }): pi.SessionBeforeTreeResult => made;
export const complete = (): Promise<Pick<ours.PiCompletion, "stopReason">> =>
  context.modelRegistry.complete(
    context.model!,
    { systemPrompt: "", messages: [{ role: "user", content: [{ type: "text", text: "" }], timestamp: 1 }] },
    { signal: AbortSignal.abort(), maxTokens: 1, cacheRetention: "none" },
  );
declare const tool: ours.PiTool;
api.registerTool({ ...tool, parameters: tool.parameters as never });
`;

test.skipIf(PUBLISHED === null)(
  `our picture of Pi's API fits the published types [B-PI-01]${NEEDS}`,
  async () => {
    await using ws = await workspace();
    const file = join(ws.path, "compared.ts");
    writeFileSync(file, COMPARED(PUBLISHED!));
    const program = ts.createProgram([file], {
      target: ts.ScriptTarget.ES2024,
      lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
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
