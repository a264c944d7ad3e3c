import * as piTui from "@earendil-works/pi-tui";
import * as typebox from "typebox";
import * as typeboxCompile from "typebox/compile";
import * as typeboxValue from "typebox/value";
import { agentCoreExports } from "../modules/agent-core.ts";
import { aiExports } from "../modules/ai.ts";
import { codingAgentExports } from "../modules/coding-agent.ts";
import { AGENT_CORE_EXPORTS, AI_EXPORTS, AI_MODELS_EXPORTS, CODING_AGENT_EXPORTS } from "./known-exports.ts";
import { missingExport } from "./missing-export.ts";
import { currentExtension, extensionInStack } from "./running-extension.ts";

/** What extensions import of their host, by the names that Pi gives it now and gave it earlier. */
const SCOPES = ["@earendil-works", "@mariozechner"] as const;

const modules = new Map<string, Record<string, unknown>>();

/** Makes the host's modules known to the runtime: what extensions import under these names is ours, whatever lies in their `node_modules`. Once in a process. */
export function registerVirtualModules(): void {
  if (modules.size > 0) return;
  const hosted = (name: string, exports: object, known: readonly string[] = []) => {
    for (const scope of SCOPES) modules.set(`${scope}/${name}`, complete(`${scope}/${name}`, exports, known));
  };
  hosted("pi-tui", piTui);
  hosted("pi-coding-agent", codingAgentExports, CODING_AGENT_EXPORTS);
  hosted("pi-agent-core", agentCoreExports, AGENT_CORE_EXPORTS);
  const ai = { ...aiExports, Type: typebox.Type };
  hosted("pi-ai", ai, AI_EXPORTS);
  hosted("pi-ai/compat", ai, AI_EXPORTS);
  hosted("pi-ai/models", aiExports, AI_MODELS_EXPORTS);
  hosted("pi-ai/oauth", {});
  hosted("pi-ai/providers/all", {});
  for (const name of ["typebox", "@sinclair/typebox"]) {
    modules.set(name, { ...typebox });
    modules.set(`${name}/compile`, { ...typeboxCompile });
    modules.set(`${name}/value`, { ...typeboxValue });
  }
  Bun.plugin({
    name: "pi-extensions",
    setup(build) {
      for (const [name, exports] of modules) build.module(name, () => ({ exports, loader: "object" }));
    },
  });
}

/** Whether extensions get a module of ours under a name. */
export function isVirtualModule(name: string): boolean {
  registerVirtualModules();
  return modules.has(name);
}

/** What extensions get under a name; undefined for what is not ours, and before {@link registerVirtualModules}. */
export function virtualModule(name: string): Record<string, unknown> | undefined {
  return modules.get(name);
}

function complete(module: string, exports: object, known: readonly string[]): Record<string, unknown> {
  const all: Record<string, unknown> = { ...exports };
  const user = () => {
    const extension = currentExtension() ?? extensionInStack(new Error().stack ?? "");
    return extension === undefined ? "an extension" : `the extension "${extension.name}"`;
  };
  for (const name of known) if (!Object.hasOwn(all, name)) all[name] = missingExport(module, name, user);
  return all;
}
