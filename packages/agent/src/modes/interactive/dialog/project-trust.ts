import type { TrustAnswer, TrustRequest } from "../../../contract/consent.ts";
import type { DialogHost } from "./dialog-host.ts";

/** So long keys typed for the editor cannot answer a question that came up meanwhile. */
const GUARD_MS = 400;

/** Asks whether what acts in a project may act; a yes is for this content only. Dismissed or aborted is a no. */
export async function askTrust(
  host: Pick<DialogHost, "together">,
  { folder, changed, items, content }: TrustRequest,
  signal?: AbortSignal,
): Promise<TrustAnswer> {
  const answer = await host.together<TrustAnswer>(
    async (dialogs) => {
      let initial = 0;
      for (;;) {
        const chosen = await dialogs.choose<TrustAnswer | "look">({
          title: changed
            ? `${folder} has changed since you trusted it`
            : `Do you trust what this project brings in ${folder}?`,
          detail: [
            "It can set options and start programs on this machine. These parts would act:",
            ...items.map((item) => `  ${item}`),
          ].join("\n"),
          filter: false,
          initial,
          choices: [
            { value: "no", label: "Not now", description: "nothing of it acts in this run" },
            { value: "look", label: "Look at them" },
            { value: "once", label: "Only this time", description: "as with --trust" },
            { value: "always", label: "Trust it", description: "until one of these files changes" },
          ],
        });
        if (chosen !== "look") return chosen ?? "no";
        await dialogs.page("What the project brings", await content());
        if (signal?.aborted) return "no";
        initial = 1;
      }
    },
    { guardMs: GUARD_MS, ...(signal && { signal }) },
  );
  return answer ?? "no";
}
