import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import type { ExtensionPorts } from "./extension-ports.ts";
import type { Faults } from "./faults.ts";
import { type ExtensionComponent, GuardedComponent, type GuardParts } from "./guarded-component.ts";
import type { Owned } from "./owned.ts";
import type { PiKeybindings } from "./pi-keybindings.ts";
import type { PiTheme } from "./pi-theme.ts";

/** What every part of this folder works with. */
export interface Toolbox {
  readonly ports: ExtensionPorts;
  readonly faults: Faults;
  readonly owned: Owned;
  readonly theme: PiTheme;
  readonly keybindings: PiKeybindings;
  /** Set while a component of an extension draws. */
  readonly drawing: { now: boolean };
}

/** What a component of an extension is watched with. `rows`: the most it may take now. */
export function guardParts(
  { drawing, faults, ports }: Toolbox,
  source: ExtensionSource,
  what: string,
  rows: () => number,
): GuardParts {
  const { themes, timers, tui } = ports;
  return {
    source,
    what,
    faults,
    drawing,
    timers,
    requestRender: () => tui.requestRender(),
    rows,
    paint: {
      error: (text) => themes.current.color.error(text),
      note: (text) => themes.current.color.muted(text),
    },
  };
}

/**
 * Makes a component with a factory of an extension and watches it; undefined when that failed, which is told. Promises are not waited
 * for: only what {@link isComponent} takes is one.
 */
export function makeGuarded(
  toolbox: Toolbox,
  source: ExtensionSource,
  what: string,
  rows: () => number,
  make: () => unknown,
): GuardedComponent | undefined {
  const made = toolbox.faults.guard(source, `making ${what}`, () => {
    const component = make();
    if (!isComponent(component))
      throw new Error("its factory gave no component (an object with render(width))");
    return component;
  });
  return made && new GuardedComponent(made, guardParts(toolbox, source, what, rows));
}

export function isComponent(value: unknown): value is ExtensionComponent {
  return (
    typeof value === "object" && value !== null && "render" in value && typeof value.render === "function"
  );
}
