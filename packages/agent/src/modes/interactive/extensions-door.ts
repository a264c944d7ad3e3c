import type { ExtensionSurface } from "../../contract/extension-surface.ts";
import { ExtensionSlots } from "./extension-slots.ts";
import type { ExtensionPorts } from "./extensions/extension-ports.ts";

/** The way of extensions into the surface. */
export class ExtensionsDoor {
  readonly slots = new ExtensionSlots();
  #surface: Promise<ExtensionSurface> | undefined;

  /** Loads what extensions draw with, at the first call; the same one each time. */
  open(parts: Omit<ExtensionPorts, "slots">): Promise<ExtensionSurface> {
    const { slots } = this;
    this.#surface ??= import("./extensions/open-extension-surface.ts").then(({ openExtensionSurface }) =>
      openExtensionSurface({ ...parts, slots }),
    );
    return this.#surface;
  }
}
