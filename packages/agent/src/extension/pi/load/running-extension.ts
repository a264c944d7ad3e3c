import { AsyncLocalStorage } from "node:async_hooks";
import type { LoadedExtension } from "../host/loaded-extension.ts";

/** Whose code is running: it follows handlers, promises and timers. */
const running = new AsyncLocalStorage<LoadedExtension>();
const loaded = new Set<LoadedExtension>();

/** Runs code of an extension, so that what it does later is known to be its own. */
export function runAs<Result>(extension: LoadedExtension, work: () => Result): Result {
  return running.run(extension, work);
}

/** The extension whose code this was called from, by what began it. */
export function currentExtension(): LoadedExtension | undefined {
  return running.getStore();
}

/** From now on faults in its files are known as its own; the result ends that. */
export function knowExtension(extension: LoadedExtension): () => void {
  loaded.add(extension);
  return () => loaded.delete(extension);
}

/** The extension in whose files the innermost frame of a stack that belongs to any lies. */
export function extensionInStack(stack: string): LoadedExtension | undefined {
  for (const line of stack.split("\n")) {
    const owner = ownerOfLine(line);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/** The extension whose file calls the function that `stack` was taken in; undefined when other code does. `skip`: frames of ours at its top. */
export function directCaller(stack: string, skip: number): LoadedExtension | undefined {
  const frames = stack.split("\n").filter((line) => /^\s*at /.test(line));
  const first = frames
    .slice(skip)
    .find((line) => !/\((?:native|node:|bun:|internal:)|<anonymous>/.test(line) || ownerOfLine(line));
  return first === undefined ? undefined : ownerOfLine(first);
}

function ownerOfLine(line: string): LoadedExtension | undefined {
  let owner: LoadedExtension | undefined;
  for (const each of loaded) {
    const { base } = each.entry;
    if (!line.includes(base)) continue;
    // A package inside of another extension's folder is its own.
    if (owner === undefined || base.length > owner.entry.base.length) owner = each;
  }
  return owner;
}
