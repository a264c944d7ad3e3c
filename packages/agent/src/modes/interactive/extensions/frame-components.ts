import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import type { ExtensionTui } from "./extension-tui.ts";
import type { GuardedComponent } from "./guarded-component.ts";
import type { StatusWords } from "./status-words.ts";
import { makeGuarded, type Toolbox } from "./toolbox.ts";

/** Rows of a footer, and of a header. */
const FOOTER_ROWS = 3;
const HEADER_ROWS = 12;

type Place = "footer" | "header";

/**
 * Footer and header of extensions; the latest of several is shown. A footer stands for the status line, but for what must be seen; one
 * that fails gives the line back.
 */
export class FrameComponents {
  readonly #toolbox: Toolbox;
  readonly #tuiOf: (source: ExtensionSource) => ExtensionTui;
  readonly #words: StatusWords;
  readonly #shown: Record<
    Place,
    { source: ExtensionSource; component: GuardedComponent; remove: () => void }[]
  > = { footer: [], header: [] };

  constructor(toolbox: Toolbox, tuiOf: (source: ExtensionSource) => ExtensionTui, words: StatusWords) {
    this.#toolbox = toolbox;
    this.#tuiOf = tuiOf;
    this.#words = words;
  }

  /** `factory(tui, theme, footerData)`; undefined takes it away. */
  set(place: Place, source: ExtensionSource, factory: unknown): void {
    const { owned } = this.#toolbox;
    const shown = this.#shown[place];
    shown.find((each) => each.source === source)?.remove();
    if (factory !== undefined && factory !== null) {
      const component = this.#make(place, source, factory);
      if (component) {
        const remove = owned.add(source, () => {
          const index = shown.findIndex((each) => each.component === component);
          if (index >= 0) shown.splice(index, 1);
          component.dispose();
          this.#show(place);
        });
        shown.push({ source, component, remove });
      }
    }
    this.#show(place);
  }

  #make(place: Place, source: ExtensionSource, factory: unknown): GuardedComponent | undefined {
    const { ports, theme } = this.#toolbox;
    const most = place === "footer" ? FOOTER_ROWS : HEADER_ROWS;
    const rows = () => Math.max(1, Math.min(most, Math.floor(ports.tui.terminal.rows / 3)));
    return makeGuarded(this.#toolbox, source, `its ${place}`, rows, () => {
      if (typeof factory !== "function") throw new TypeError("it takes a function that makes a component");
      return factory(this.#tuiOf(source), theme, this.#footerData());
    });
  }

  #show(place: Place): void {
    const { slots, status, tui } = this.#toolbox.ports;
    const component = this.#shown[place].at(-1)?.component;
    slots[place].component = component && place === "footer" ? this.#watched(component) : component;
    if (place === "footer") status.setReduced(component !== undefined);
    tui.requestRender();
  }

  /** Facts must not be lost to a footer that fails. */
  #watched(component: GuardedComponent) {
    const { status } = this.#toolbox.ports;
    let reduced = true;
    return {
      invalidate: () => component.invalidate(),
      handleMouse: (event: Parameters<GuardedComponent["handleMouse"]>[0]) => component.handleMouse(event),
      render: (width: number) => {
        const rows = component.render(width);
        if (reduced === component.broken) {
          reduced = !component.broken;
          status.setReduced(reduced);
        }
        return rows;
      },
    };
  }

  /** Pi's provider of what a footer cannot know otherwise. */
  #footerData() {
    const { host } = this.#toolbox.ports;
    return {
      getGitBranch: () => host.status().gitBranch ?? null,
      getExtensionStatuses: (): ReadonlyMap<string, string> => this.#words.byKey(),
      getAvailableProviderCount: () => 1,
      // The branch is asked for with each drawing; a change of it draws a frame.
      onBranchChange: () => () => undefined,
    };
  }
}
