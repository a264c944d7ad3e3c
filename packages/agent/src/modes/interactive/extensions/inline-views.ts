import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import type { DialogHost } from "../dialog/dialog-host.ts";
import type { GuardedView } from "./guarded-view.ts";

/** What extensions show in the editor's place: the latest is seen, the ones before come back when it closes. Questions stand before all. */
export class InlineViews {
  readonly #dialogs: Pick<DialogHost, "raise">;
  readonly #open: { source: ExtensionSource; view: GuardedView; lower: () => void }[] = [];

  constructor(dialogs: Pick<DialogHost, "raise">) {
    this.#dialogs = dialogs;
  }

  show(source: ExtensionSource, view: GuardedView): void {
    this.#open.push({ source, view, lower: this.#dialogs.raise(view) });
  }

  remove(view: GuardedView): void {
    const index = this.#open.findIndex((each) => each.view === view);
    if (index >= 0) this.#open.splice(index, 1)[0]!.lower();
  }

  /** The latest of an extension. */
  of(source: ExtensionSource): GuardedView | undefined {
    return this.#open.findLast((each) => each.source === source)?.view;
  }
}
