/** What the bundler's output calls, once for all compiled modules. */

type Exports = Record<string, unknown>;

const converted = new WeakMap<object, Exports>();

/** A module of the runtime as an ES module sees it: its exports by name, and all of it as `default`. */
function toModule(value: object): Exports {
  let module = converted.get(value);
  if (module === undefined) {
    module = { default: value };
    for (const name of Object.getOwnPropertyNames(value)) if (name !== "default") passOn(module, value, name);
    converted.set(value, module);
  }
  return module;
}

/** Declares exports; what they are is looked up at each use, as of an ES module. */
function declareExports(target: Exports, all: Record<string, () => unknown>): void {
  for (const name in all) Object.defineProperty(target, name, { get: all[name]!, enumerable: true });
}

/** `export * from`: everything but what it exports itself, and `default`. */
function exportAll(target: Exports, from: object): void {
  for (const name of Object.getOwnPropertyNames(from))
    if (name !== "default" && !Object.hasOwn(target, name)) passOn(target, from, name);
}

function passOn(target: Exports, from: object, name: string): void {
  Object.defineProperty(target, name, { get: () => (from as Exports)[name], enumerable: true });
}

export const MODULE_HELPERS = { __toESM: toModule, __export: declareExports, __reExport: exportAll };
