import { join, sep } from "node:path";
import { isPiError, PiError } from "../../contract/errors.ts";
import type { FileDoor } from "../../contract/files.ts";
import { isSpecName } from "./spec-name.ts";

/** The folder of the project that holds specs. */
export const SPECS = "specs";
/** More is no text that somebody wrote. Bytes. */
const MOST_BYTES = 1024 * 1024;

/** The files of a project's specs: every path stays below `specs/`, whatever links say. */
export class SpecFiles {
  readonly #files: FileDoor;

  constructor(files: FileDoor) {
    this.#files = files;
  }

  /** Names of all specs, in order. */
  names(): string[] {
    if (!this.#files.exists(SPECS)) return [];
    return this.#files
      .list(SPECS, { sizes: false })
      .filter(({ name, kind }) => kind === "folder" && isSpecName(name))
      .map(({ name }) => name);
  }

  exists(spec: string, file = ""): boolean {
    return this.#files.exists(this.path(spec, file));
  }

  /** A file's text; null when it is not there. Throws a PiError when it cannot be read. */
  read(spec: string, file: string): string | null {
    try {
      const bytes = this.#files.readAll(this.path(spec, file), MOST_BYTES);
      return new TextDecoder().decode(bytes);
    } catch (thrown) {
      if (isPiError(thrown) && thrown.code === "file_missing") return null;
      throw thrown;
    }
  }

  /** Writes a file whole. Throws a PiError when the disk refuses, or the place is not below `specs/`. */
  write(spec: string, file: string, text: string): void {
    this.#files.write(this.path(spec, file), new TextEncoder().encode(text));
  }

  /** Names of the Markdown files in a folder of a spec. */
  list(spec: string, folder: string): string[] {
    const path = this.path(spec, folder);
    if (!this.#files.exists(path)) return [];
    return this.#files
      .list(path, { sizes: false })
      .filter(({ name, kind }) => kind === "file" && name.endsWith(".md"))
      .map(({ name }) => name);
  }

  /** The path below the project, checked. Throws PiError `spec_name` or `spec_outside`. */
  path(spec: string, file = ""): string {
    if (!isSpecName(spec))
      throw new PiError({
        code: "spec_name",
        message: `"${spec.slice(0, 100)}" is no name of a spec`,
        hint: "Names are lower-case words joined by hyphens: user-login.",
      });
    const path = file === "" ? `${SPECS}/${spec}` : `${SPECS}/${spec}/${file}`;
    const real = this.#files.real(path);
    const home = join(this.#files.root, SPECS, spec);
    if (real === home || real.startsWith(home + sep)) return path;
    throw new PiError({
      code: "spec_outside",
      message: `${path} is a link to ${real}, outside of the project's ${SPECS}/ folder`,
      hint: "Specs are kept in real folders.",
    });
  }
}
