import type { DialogHost } from "./dialog-host.ts";

/** A call of a tool that must not run unasked. */
export interface ConsentRequest {
  readonly tool: string;
  /** The subagent that wants it; absent: the agent itself does. */
  readonly from?: string;
  /** All of what would be done: the command, the path, the input; every character of it. */
  readonly what: string;
  /** Why it is asked, e.g. `no rule allows it`. */
  readonly reason?: string;
  /** The rules that a yes for longer would add, as they are parsed; empty: it would hold for this very call. */
  readonly rules: readonly string[];
  /** Whether a yes for good can be offered. */
  readonly lasting: boolean;
}

export type ConsentAnswer =
  | { readonly allow: "once" | "session" | "always" }
  /** `reason` is what the person typed for the model. */
  | { readonly allow: "no"; readonly reason?: string };

/** So long keys typed for the editor cannot answer a question that came up meanwhile. */
export const CONSENT_GUARD_MS = 400;

/** Asks whether a call may run. Dismissed or aborted is a no without a reason. */
export async function askConsent(
  host: Pick<DialogHost, "together">,
  request: ConsentRequest,
  signal?: AbortSignal,
): Promise<ConsentAnswer> {
  const { tool, from, what, reason, rules, lasting } = request;
  const named = rules.join(", ");
  const answer = await host.together<ConsentAnswer>(
    async (dialogs) => {
      const allow = await dialogs.choose<ConsentAnswer["allow"]>({
        title: from === undefined ? `Run ${tool}?` : `Run ${tool} for the subagent ${from}?`,
        detail: reason === undefined ? what : `${what}\n\n${reason}`,
        filter: false,
        choices: [
          { value: "once", label: "Yes, this once" },
          {
            value: "session",
            label: from === undefined ? "Yes, in this session" : "Yes, for this subagent",
            description: named === "" ? "for exactly this" : `allows ${named}`,
          },
          ...(lasting
            ? ([{ value: "always", label: "Yes, always", description: `saves the rule ${named}` }] as const)
            : []),
          { value: "no", label: "No", description: "and tell the model what to do instead" },
        ],
      });
      if (allow !== "no") return { allow: allow ?? "no" } as ConsentAnswer;
      const typed = await dialogs.ask({ title: "What should it do instead? (Enter alone: just no)" });
      const words = typed?.trim() ?? "";
      return words === "" ? { allow: "no" } : { allow: "no", reason: words };
    },
    { guardMs: CONSENT_GUARD_MS, ...(signal && { signal }) },
  );
  return answer ?? { allow: "no" };
}
