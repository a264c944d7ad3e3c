import { existsSync } from "node:fs";
import { join } from "node:path";
import { runnable, type SearchPlaces, safePath } from "./find-program.ts";
import type { ServerDefinition } from "./server-definition.ts";

/** Where virtual environments usually lie. */
const ENVIRONMENTS = [".venv", "venv"];
const INTERPRETER = process.platform === "win32" ? "Scripts/python.exe" : "bin/python";

/**
 * The interpreter that a server is told to take: the project's virtual environment where the project is trusted, else the machine's
 * own, since a server that is not told of one may run what it finds in the project. Null: there is none.
 */
export function pythonFor(root: string, places: SearchPlaces): string | null {
  if (places.trusted)
    for (const folder of [root, places.project])
      for (const environment of ENVIRONMENTS) {
        const interpreter = join(folder, environment, INTERPRETER);
        if (existsSync(interpreter)) return interpreter;
      }
  for (const name of ["python3", "python"])
    for (const folder of safePath(places)) {
      const found = runnable(join(folder, name), places);
      if (found !== null) return found.path;
    }
  return null;
}

/** The definition with the interpreter among its settings, unless the user's own name one. */
export function withPython(definition: ServerDefinition, interpreter: string | null): ServerDefinition {
  if (interpreter === null) return definition;
  const { python, ...settings } = definition.settings ?? {};
  return {
    ...definition,
    settings: { ...settings, python: { pythonPath: interpreter, ...(python as object) } },
  };
}
