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

  /** A fault that nobody caught and that names no code: of whoever is there. */
  unowned(extensions: readonly LoadedExtension[], thrown: unknown): void {
    const [first, ...others] = extensions;
    const where = "a promise, a worker or a package of its";
    if (first !== undefined && others.length === 0) this.report(first, where, thrown);
    else if (first?.keep(where, errorMessage(thrown)) === true) {
      const names = extensions.map(({ name }) => `"${name}"`).join(", ");
      this.#tell("warning", `one of the extensions ${names} failed in ${where}: ${errorMessage(thrown)}`);
    }
  }

  /** The same in words of the caller's: `the extension "NAME" …`. */
  note(extension: LoadedExtension, where: string, words: string, message: string = words): void {
    if (extension.keep(where, message)) this.#tell("warning", `the extension "${extension.name}" ${words}`);
  }
}
