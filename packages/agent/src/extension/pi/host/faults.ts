import { errorMessage } from "../../../contract/errors.ts";
import type { FaultTeller, LoadedExtension } from "./loaded-extension.ts";

/** Where people hear of what goes wrong in an extension. */
export class Faults implements FaultTeller {
  readonly #tell: (level: "info" | "warning", message: string) => void;

  constructor(tell: (level: "info" | "warning", message: string) => void) {
    this.#tell = tell;
  }

  /** Keeps a fault and tells it once, with the extension's name. */
  report(extension: LoadedExtension, where: string, thrown: unknown): void {
    this.note(extension, where, `failed in ${where}: ${errorMessage(thrown)}`, errorMessage(thrown));
  }

  /** The same in words of the caller's: `the extension "NAME" …`. */
  note(extension: LoadedExtension, where: string, words: string, message: string = words): void {
    if (extension.keep(where, message)) this.#tell("warning", `the extension "${extension.name}" ${words}`);
  }
}
