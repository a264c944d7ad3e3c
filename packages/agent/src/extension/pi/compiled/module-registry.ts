import { readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { type CompiledModule, type ModuleReference, realPath } from "./compiled-set.ts";
import { MODULE_HELPERS } from "./module-helpers.ts";
import { ModuleMeta } from "./module-meta.ts";

type Exports = Record<string, unknown>;

/** A module as `compileModule` makes it: it declares what it exports, takes its imports, and runs. */
export type ModuleCode = (...parts: readonly unknown[]) => Generator<void, void, void>;

interface Instance {
  readonly module: CompiledModule;
  /** Its code, from its file. Throws when that is gone. */
  readonly read: () => ModuleCode;
  code: ModuleCode | undefined;
  readonly meta: ModuleMeta;
  exports: Exports;
  steps: Generator<void, void, void> | undefined;
  state: "new" | "linked" | "running" | "done" | "failed";
  error: unknown;
}

/** The compiled modules of the process, by the real path of their files: each has one instance, as files have. */
const instances = new Map<string, Instance>();
const natives = new Map<string, { namespace: Exports; filled: boolean }>();
/** Says what the runtime makes of `process.env.NODE_ENV`: it puts in what that was when it began. */
const ENVIRONMENT = "pi-node-environment";
let environment: unknown;
let hostModule: (name: string) => Exports | undefined = () => undefined;

/**
 * Makes compiled modules known. From now on whoever imports their files, compiled or not, gets their one instance. `host` gives the
 * modules of ours, by name.
 */
export function addModules(
  modules: readonly (readonly [CompiledModule, () => ModuleCode])[],
  host: (name: string) => Exports | undefined,
): void {
  hostModule = host;
  for (const [module, read] of modules)
    instances.set(module.path, {
      module,
      read,
      code: undefined,
      meta: new ModuleMeta(module.path),
      exports: {},
      steps: undefined,
      state: "new",
      error: undefined,
    });
  Bun.plugin({
    name: "pi-compiled-extensions",
    setup(build) {
      build.module(ENVIRONMENT, () => ({ contents: "export default process.env.NODE_ENV;", loader: "js" }));
      for (const [{ path }] of modules)
        build.module(path, () =>
          isCompiled(path)
            ? { exports: { ...run(path) }, loader: "object" }
            : // It was forgotten, and is loaded as it is now.
              { contents: readFileSync(path, "utf8"), loader: path.endsWith("ts") ? "ts" : "js" },
        );
    },
  });
  environment = (createRequire(import.meta.url)(ENVIRONMENT) as { default: unknown }).default;
}

/** Whether a file's module is compiled, and its code is there. What was taken away since the start is loaded as it is. */
export function isCompiled(path: string): boolean {
  return instanceAt(path) !== undefined;
}

function instanceAt(path: string): Instance | undefined {
  const instance = instances.get(path);
  if (instance === undefined || instance.code !== undefined) return instance;
  try {
    instance.code = instance.read();
    return instance;
  } catch {
    instances.delete(path);
    return undefined;
  }
}

/** Runs a module unless it has run, and gives what it exports. Throws what its code throws, each time. */
export function run(path: string): Exports {
  const instance = instanceAt(path)!;
  try {
    link(instance);
  } catch (thrown) {
    instance.state = "failed";
    instance.error = thrown;
  }
  evaluate(instance);
  return instance.exports;
}

/** Forgets the modules whose files `below` holds: they are loaded natively from now on. */
export function forgetCompiled(below: (path: string) => boolean): void {
  for (const path of instances.keys()) if (below(path)) instances.delete(path);
}

/** Declares the exports of a module and of all that it imports, then lets each take its imports: as a linker does, before any code runs. */
function link(instance: Instance): void {
  if (instance.state !== "new") return;
  instance.state = "linked";
  const { module, meta } = instance;
  const { references } = module;
  instance.steps = instance.code!(
    (number: number) => namespaceOf(references[number]!),
    (number: number) => required(references[number]!, meta),
    (number: number) => imported(references[number]!, meta),
    (name: unknown) => importComputed(name, meta),
    meta,
    (exports: Exports) => {
      instance.exports = exports;
    },
    environment,
    meta.require,
    MODULE_HELPERS,
  );
  instance.steps.next();
  for (const number of module.order) {
    const target = compiledAt(references[number]!);
    if (target !== undefined) link(target);
  }
  instance.steps.next();
}

function evaluate(instance: Instance): void {
  if (instance.state === "failed") throw instance.error;
  if (instance.state !== "linked") return;
  instance.state = "running";
  try {
    for (const number of instance.module.order) {
      const reference = instance.module.references[number]!;
      const target = compiledAt(reference);
      if (target === undefined) fillNative(reference);
      else evaluate(target);
    }
    instance.steps!.next();
    instance.state = "done";
  } catch (thrown) {
    instance.state = "failed";
    instance.error = thrown;
    throw thrown;
  }
}

function compiledAt([target, kind]: ModuleReference): Instance | undefined {
  return kind === "module" ? instanceAt(target) : undefined;
}

function namespaceOf(reference: ModuleReference): Exports {
  const target = compiledAt(reference);
  if (target !== undefined) return target.exports;
  const [name, kind] = reference;
  return (kind === "host" ? hostModule(name) : undefined) ?? nativeOf(name).namespace;
}

function nativeOf(name: string): { namespace: Exports; filled: boolean } {
  let native = natives.get(name);
  if (native === undefined) {
    native = { namespace: {}, filled: false };
    natives.set(name, native);
  }
  return native;
}

/** Runs what is no ES module when its turn comes, and says what it exports, as the runtime says it to ES modules. */
function fillNative([name, kind]: ModuleReference): void {
  if (kind === "host") return;
  const native = nativeOf(name);
  if (native.filled) return;
  native.filled = true;
  const value = createRequire(import.meta.url)(name) as unknown;
  const { namespace } = native;
  if ((typeof value === "object" && value !== null) || typeof value === "function")
    for (const key of Object.keys(value)) if (key !== "__esModule") namespace[key] = (value as Exports)[key];
  // What was compiled and is forgotten is an ES module still.
  const isModule = kind === "module" || (value as Exports | null | undefined)?.["__esModule"] === true;
  if (!isModule || !("default" in namespace)) namespace["default"] = value;
}

function required(reference: ModuleReference, meta: ModuleMeta): unknown {
  if (compiledAt(reference) !== undefined) return run(reference[0]);
  return meta.require(reference[0]);
}

async function imported(reference: ModuleReference, meta: ModuleMeta): Promise<unknown> {
  const [name, kind] = reference;
  if (kind === "missing") return await importComputed(name, meta);
  return compiledAt(reference) === undefined ? ((await import(name)) as unknown) : run(name);
}

/** `import()` of a name that was made while the module ran: it is meant from the module's own file. */
async function importComputed(name: unknown, { dir }: ModuleMeta): Promise<unknown> {
  const named = String(name);
  if (isBuiltin(named) || hostModule(named) !== undefined) return (await import(named)) as unknown;
  const path = named.startsWith("file:") ? fileURLToPath(named) : Bun.resolveSync(named, dir);
  const real = realPath(path) ?? path;
  return isCompiled(real) ? run(real) : ((await import(named.startsWith("file:") ? named : path)) as unknown);
}
