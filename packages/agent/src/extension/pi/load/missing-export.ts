/**
 * What stands in for an export of Pi's that this program does not have. Importing it is fine, and so is extending it as a class: using it
 * throws an error that names the extension, the module and the export.
 */
export function missingExport(module: string, name: string, user: () => string): unknown {
  const refuse = (): never => {
    throw new Error(`${user()} uses ${name} of ${module}, which pi-ts does not have`);
  };
  // A class, so that `extends` finds a prototype while a module is loaded.
  const stand = class {
    constructor() {
      refuse();
    }
  };
  return new Proxy(stand, {
    apply: refuse,
    construct: refuse,
    get: (target, key) =>
      key === "prototype" ? target.prototype : typeof key === "symbol" ? undefined : refuse(),
  });
}
