import { AsyncLocalStorage } from "node:async_hooks";
import type { LoadedExtension } from "../host/loaded-extension.ts";

/** Whose code is running: it follows handlers, promises and timers. */
const running = new AsyncLocalStorage<LoadedExtension>();
/** By the folder or file of its code; the newest one where several conversations have loaded the same. Kept when it is unloaded: its timers may still run. */
const loaded = new Map<string, LoadedExtension>();

/** Files with compiled code, and the folder of the extension that it was made of. */
const compiled = new Map<string, string>();

/** Runs code of an extension, so that what it does later is known to be its own. */
export function runAs<Result>(extension: LoadedExtension, work: () => Result): Result {
  return running.run(extension, work);
}

/** The extension whose code this was called from, by what began it. */
export function currentExtension(): LoadedExtension | undefined {
  return running.getStore();
}

/** From now on faults in its files are known as its own. */
export function knowExtension(extension: LoadedExtension): void {
  loaded.set(extension.entry.base, extension);
}

/** From now on `file` counts as a file of the extension whose code belongs to `base`. */
export function knowCode(file: string, base: string): void {
  compiled.set(file, base);
}

/** The extension in whose files the innermost frame of a stack that belongs to any lies. */
export function extensionInStack(stack: string): LoadedExtension | undefined {
  for (const line of stack.split("\n")) {
    const owner = ownerOfLine(line);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/**
 * The extension that calls the function `stack` was taken in; undefined when other code does. `skip`: frames of ours at its top.
 * A function that ends with a call leaves no frame (`() => process.exit()`): then what {@link runAs} runs, or the timer or promise that
 * runs, is where the call comes from.
 */
export function directCaller(stack: string, skip: number): LoadedExtension | undefined {
  const frames = stack.split("\n").filter((line) => /^\s*at /.test(line));
  for (const line of frames.slice(skip)) {
    if (line.includes("node:async_hooks")) return currentExtension();
    const owner = ownerOfLine(line);
    if (owner !== undefined) return owner;
    if (!/\((?:native|node:|bun:|internal:)|at (?:native|node:|<anonymous>$)/.test(line)) return undefined;
  }
  return currentExtension();
}

function ownerOfLine(line: string): LoadedExtension | undefined {
  let owner: LoadedExtension | undefined;
  let codeBase: string | undefined;
  for (const [file, base] of compiled) if (line.includes(file)) codeBase = base;
  for (const [base, each] of loaded) {
    if (!line.includes(base) && base !== codeBase) continue;
    // A package inside of another extension's folder is its own.
    if (owner === undefined || base.length > owner.entry.base.length) owner = each;
  }
  const current = currentExtension();
  return current !== undefined && current.entry.base === owner?.entry.base ? current : owner;
}
