import type { Workspace } from "@pi-ts/testkit";
import type { PendingCall } from "../../contract/callbacks.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ToolOutcome } from "../../contract/tool.ts";
import { systemClock } from "../../platform/clock.ts";
import { editTool } from "../../tools/edit/edit.ts";
import { runTool } from "../../tools/shared/test-support/file-tool-context.ts";
import { writeTool } from "../../tools/write/write.ts";
import { AfterEdit } from "../after-edit/after-edit.ts";
import { type BenchOptions, languageBench } from "./language-bench.ts";

/** However slow the machine is: most tests are about what comes, not when. */
const PATIENT = { formatMs: 100_000, diagnosticsMs: 100_000, questionMs: 100_000 };

/** The write and edit tools with language servers around them, as the loop would run them; disposal ends the servers. */
export function editBench(ws: Workspace, options: BenchOptions & { format?: boolean } = {}) {
  const limits = { ...PATIENT, ...options.limits };
  const bench = languageBench(ws, { ...options, limits });
  const { files, ledger } = bench.context;
  const afterEdit = new AfterEdit({
    servers: bench.session,
    files,
    ledger,
    clock: systemClock,
    format: options.format ?? true,
  });
  let calls = 0;
  async function run(name: "write" | "edit", input: JsonObject): Promise<ToolOutcome> {
    const call: PendingCall = { id: `call-${++calls}`, name, kind: "edit", input };
    afterEdit.before(call);
    const outcome =
      name === "write"
        ? await runTool(writeTool, bench.context, input as never)
        : await runTool(editTool, bench.context, input as never);
    return (await afterEdit.after(call, outcome, bench.signal)) ?? outcome;
  }
  return {
    ...bench,
    afterEdit,
    write: (file_path: string, content: string) => run("write", { file_path, content }),
    edit: (file_path: string, old_string: string, new_string: string) =>
      run("edit", { file_path, old_string, new_string }),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}
