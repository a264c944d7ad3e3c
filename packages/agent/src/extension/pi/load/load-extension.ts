import { createRequire } from "node:module";
import { sep } from "node:path";
import { errorMessage } from "../../../contract/errors.ts";
import { realPath } from "../compiled/compiled-set.ts";
import { forgetCompiled, isCompiled, run } from "../compiled/module-registry.ts";
import type { LoadedExtension } from "../host/loaded-extension.ts";
import { knowExtension, runAs } from "./running-extension.ts";

/** What a module may take to load and to register itself. */
const LOAD_MS = 20_000;

/** Imports an extension's module and runs its factory. Never rejects: what fails is the extension's state. */
export async function loadExtension(
  extension: LoadedExtension,
  api: object,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const begun = performance.now();
  const over = new AbortController();
  knowExtension(extension);
  const late = sleep(LOAD_MS, over.signal).then(() => {
    if (!over.signal.aborted) throw new Error(`it has not finished loading after ${LOAD_MS / 1_000} s`);
  });
  try {
    await Promise.race([start(extension, api), late]);
    extension.state = "ready";
  } catch (thrown) {
    extension.state = "failed";
    extension.error = explained(thrown, extension);
  } finally {
    over.abort();
    late.catch(() => undefined);
    extension.loadMs = performance.now() - begun;
  }
}

async function start(extension: LoadedExtension, api: object): Promise<void> {
  const module = (await runAs(extension, () => imported(extension))) as { default?: unknown };
  const factory = module.default;
  if (typeof factory !== "function")
    throw new Error("it has no default export that is a function (export default (pi) => { … })");
  await runAs(extension, () => (factory as (pi: object) => unknown)(api));
}

async function imported(extension: LoadedExtension): Promise<unknown> {
  const { file } = extension.entry;
  // Such an import never ends.
  if (file.includes("?"))
    throw new Error(`its path has a "?" in it, which cannot be imported: rename it (${file})`);
  const real = realPath(file);
  if (real === null || !isCompiled(real)) return await import(file);
  try {
    return run(real);
  } catch {
    // It loaded well as it is, or it would not have been compiled: what is wrong now is said of its files, with their lines.
    forgetModules(extension);
    return await import(file);
  }
}

/** The messages of the runtime say what is missing, and not that it is Pi's. */
function explained(thrown: unknown, { entry }: LoadedExtension): string {
  const message = errorMessage(thrown);
  const [, name, module] = /Export named '([^']+)' not found in module '([^']+)'/.exec(message) ?? [];
  if (name !== undefined && module !== undefined && !module.startsWith(sep))
    return `it imports ${name} of ${module}, which pi-ts does not have`;
  const [, missing] = /Cannot find (?:package|module) '([^']+)'/.exec(message) ?? [];
  if (missing !== undefined && !/^[./]/.test(missing))
    return `it needs the package "${missing}", which is not installed beside it (${entry.base})`;
  return message;
}

/** Forgets what was loaded below an extension's folder, so that the next load reads the files anew. */
export function forgetModules({ entry }: LoadedExtension): void {
  const { cache } = createRequire(import.meta.url);
  const base = realPath(entry.base) ?? entry.base;
  const isOwn = (file: string) =>
    file === entry.file || file.startsWith(entry.base + sep) || file.startsWith(base + sep);
  for (const file of Object.keys(cache)) if (isOwn(file)) delete cache[file];
  forgetCompiled(isOwn);
}
