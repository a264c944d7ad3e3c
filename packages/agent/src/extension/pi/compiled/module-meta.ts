import { createRequire } from "node:module";
import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";

/** `import.meta` of a compiled module: that of the file it was made of. */
export class ModuleMeta {
  readonly path: string;
  readonly main = false;
  #require: NodeJS.Require | undefined;

  constructor(path: string) {
    this.path = path;
  }

  get filename(): string {
    return this.path;
  }

  get url(): string {
    return pathToFileURL(this.path).href;
  }

  get dir(): string {
    return dirname(this.path);
  }

  get dirname(): string {
    return dirname(this.path);
  }

  get file(): string {
    return basename(this.path);
  }

  get env(): NodeJS.ProcessEnv {
    return process.env;
  }

  get require(): NodeJS.Require {
    this.#require ??= createRequire(this.path);
    return this.#require;
  }

  readonly resolve = (name: string, from: string = this.path): string => import.meta.resolve(name, from);
}
