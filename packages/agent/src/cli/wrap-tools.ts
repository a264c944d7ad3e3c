import type { Compactor } from "../compactor/compactor.ts";
import type { Callbacks } from "../contract/callbacks.ts";
import type { ToolContext } from "../contract/tool.ts";
import type { AppDoors, AppParts } from "./app-parts.ts";
import type { Checkpoints } from "./late-checkpoints.ts";
import { lateCompactor, readSpilled } from "./late-compactor.ts";
import type { LateLanguageServers } from "./late-lsp.ts";

/** What wraps the tools from outside, in the order in which it acts. Parts that have nothing to do are not loaded. */
export async function wrapTools(
  { settings, home, notices, ask }: Pick<AppParts, "settings" | "home" | "notices" | "ask">,
  doors: AppDoors,
  output: string,
  { checkpoints, languages }: { checkpoints: Checkpoints; languages: LateLanguageServers },
): Promise<{ callbacks: Callbacks[]; compactor: Compactor; context: Pick<ToolContext, "mayShow"> }> {
  const { permissions, compactor: setting } = settings.config;
  const callbacks: Callbacks[] = [];
  let mayShow: ToolContext["mayShow"];
  if (permissions.ask.length + permissions.deny.length > 0) {
    const { createPermissions } = await import("../permission/permissions.ts");
    const { keepRule } = await import("./keep-rule.ts");
    const rules = createPermissions({
      rules: permissions,
      ask: ask ?? null,
      files: doors.files,
      persist: (rule) => keepRule(rule, home),
      onProblem: (message) => notices.warn(message),
    });
    for (const { message } of rules.problems) notices.warn(message);
    callbacks.push(rules);
    mayShow = await rules.mayShow();
  }
  const compactor = lateCompactor({
    enabled: () => setting.enabled,
    spill: doors.spill,
    readSpilled: (path) => readSpilled(path, output),
  });
  // After the permissions: what they refuse changes nothing. Before the compactor: it sees all of a result.
  const around = [checkpoints.callbacks, ...(languages.callbacks === null ? [] : [languages.callbacks])];
  return {
    callbacks: [...callbacks, ...around, compactor],
    compactor,
    context: mayShow === undefined ? {} : { mayShow },
  };
}
