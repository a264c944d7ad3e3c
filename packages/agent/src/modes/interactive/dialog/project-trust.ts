import type { CommandBlock } from "../../../contract/command.ts";
import type { DialogHost } from "./dialog-host.ts";

/** A project whose own configuration would act. */
export interface TrustRequest {
  /** The project's folder. */
  readonly folder: string;
  /** What would act, e.g. `{ kind: "hook", what: "before_tool: ./check.sh" }`. */
  readonly acts: readonly { readonly kind: string; readonly what: string }[];
  /** All of the content that a yes is bound to. */
  readonly content: () => readonly CommandBlock[];
}

const GUARD_MS = 400;

/** Asks whether what acts in a project may act; the yes is for this content only. Dismissed or aborted is a no. */
export async function askTrust(
  host: Pick<DialogHost, "together">,
  request: TrustRequest,
  signal?: AbortSignal,
): Promise<boolean> {
  const list = request.acts.map(({ kind, what }) => `${kind}  ${what}`).join("\n");
  const trusted = await host.together(
    async (dialogs) => {
      let initial = 1;
      for (;;) {
        const answer = await dialogs.choose<"yes" | "no" | "look">({
          title: "Trust this project?",
          detail: `${request.folder} brings its own settings. With a yes these can run commands and change what may be done:\n${list}`,
          filter: false,
          initial,
          choices: [
            {
              value: "yes",
              label: "Yes",
              description: "for what they are now; changed ones are asked about again",
            },
            { value: "no", label: "No", description: "work without them" },
            { value: "look", label: "Look at them" },
          ],
        });
        if (answer !== "look") return answer === "yes";
        await dialogs.page("What the project brings", request.content());
        if (signal?.aborted) return false;
        initial = 2;
      }
    },
    { guardMs: GUARD_MS, ...(signal && { signal }) },
  );
  return trusted ?? false;
}
