import type { ExtensionSurface } from "../../../contract/extension-surface.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { extensionUi } from "./extension-ui.ts";
import type { LoadedExtension } from "./loaded-extension.ts";

/** Where extensions are asked for trust. */
export interface TrustPlace {
  readonly cwd: string;
  readonly mode: string;
  /** Who can be asked; null: nobody. */
  readonly surface: ExtensionSurface | null;
  /** What an extension says where nothing can be drawn. */
  heard(message: string): void;
}

/** What an extension decided of a project. */
export interface TrustVerdict {
  readonly trusted: boolean;
  /** Beyond this run. */
  readonly remember: boolean;
  /** The extension's name. */
  readonly by: string;
}

/** Hands `project_trust` to those that listen; the first yes or no ends it. What throws, is late or answers anything else is told of and decides nothing. */
export async function trustVerdict(dispatcher: Dispatcher, place: TrustPlace): Promise<TrustVerdict | null> {
  let verdict: TrustVerdict | null = null;
  await dispatcher.dispatch(
    { type: "project_trust", cwd: place.cwd },
    {
      contextOf: (extension) => trustContext(extension, place),
      take(value, extension) {
        const { trusted, remember } = (value ?? {}) as { trusted?: unknown; remember?: unknown };
        if (trusted !== "yes" && trusted !== "no" && trusted !== "undecided")
          throw new TypeError(
            `project_trust has to give { trusted: "yes" | "no" | "undecided" }, not ${JSON.stringify(value)}`,
          );
        if (trusted === "undecided") return false;
        verdict = { trusted: trusted === "yes", remember: remember === true, by: extension.name };
        return true;
      },
    },
  );
  return verdict;
}

/** There is no conversation yet: only the place, and who can be asked. */
function trustContext(extension: LoadedExtension, { cwd, mode, surface, heard }: TrustPlace): object {
  const { select, confirm, input, notify } = extensionUi(extension, surface, heard) as Record<
    string,
    unknown
  >;
  return { cwd, mode, hasUI: surface !== null, ui: { select, confirm, input, notify } };
}
