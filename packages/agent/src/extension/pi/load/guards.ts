/**
 * What code of extensions must not do to the program it runs in: end it, leave its folder, read its keyboard, write over its output, or
 * stop it with a fault that nobody catches. Each is told of with the extension's name. Other code sees the process as it is.
 */
import { Readable } from "node:stream";
import type { LoadedExtension } from "../host/loaded-extension.ts";
import { currentExtension, directCaller, extensionInStack } from "./running-extension.ts";

export interface GuardOptions {
  /** Where `console.log` and `process.stdout.write` of extensions go; null: left as they are (the terminal program keeps them itself). */
  print: ((text: string) => void) | null;
}

type FaultListener = (fault: unknown, ...rest: unknown[]) => void;

let installed: { users: number; remove(): void } | undefined;

/** Puts the guards in place; the result takes them away when their last user is gone. */
export function installGuards(options: GuardOptions): () => void {
  installed ??= { users: 0, remove: install(options) };
  const mine = installed;
  mine.users++;
  let gone = false;
  return () => {
    if (gone) return;
    gone = true;
    if (--mine.users > 0) return;
    mine.remove();
    installed = undefined;
  };
}

function install({ print }: GuardOptions): () => void {
  const undo: (() => void)[] = [];
  const tell = (extension: LoadedExtension, where: string, words: string) =>
    extension.told?.note(extension, where, words);
  const caller = () => directCaller(new Error().stack ?? "", 2);
  const replace = <Key extends "exit" | "chdir" | "abort" | "kill">(
    name: Key,
    instead: (extension: LoadedExtension, ...values: unknown[]) => boolean,
  ) => {
    const own = process[name] as (...values: unknown[]) => unknown;
    const guarded = (...values: unknown[]): unknown => {
      const extension = caller();
      return extension !== undefined && instead(extension, ...values)
        ? undefined
        : own.apply(process, values);
    };
    process[name] = guarded as (typeof process)[Key];
    undo.push(() => {
      process[name] = own as (typeof process)[Key];
    });
  };
  const refused = (what: string) => (extension: LoadedExtension) => {
    tell(extension, what, `called ${what}; pi stays as it is`);
    return true;
  };
  replace("exit", (extension) => {
    refused("process.exit()")(extension);
    // What follows an exit is not meant to run.
    throw new Error("process.exit() is not for extensions; ctx.shutdown() ends pi");
  });
  replace("chdir", refused("process.chdir()"));
  replace("abort", refused("process.abort()"));
  replace(
    "kill",
    // Signal 0 only asks whether it runs.
    (extension, pid, signal) =>
      pid === process.pid && signal !== 0 && refused("process.kill() on pi itself")(extension),
  );
  guardFaults(undo);
  guardStreams(tell, print, undo);
  return () => {
    for (const each of undo.reverse()) each();
  };
}

/** Faults that nobody caught: those of extensions are told of and go no further. */
function guardFaults(undo: (() => void)[]): void {
  for (const kind of ["uncaughtException", "unhandledRejection"] as const) {
    const others = process.listeners(kind as "uncaughtException") as unknown as FaultListener[];
    const listener: FaultListener = (fault, ...rest) => {
      const extension =
        extensionInStack(fault instanceof Error ? (fault.stack ?? "") : "") ?? currentExtension();
      if (extension !== undefined) {
        extension.told?.report(
          extension,
          kind === "uncaughtException" ? "a timer or event of its" : "a promise that nobody waits for",
          fault,
        );
        return;
      }
      for (const other of others) other(fault, ...rest);
    };
    process.removeAllListeners(kind);
    process.on(kind as "uncaughtException", listener as never);
    undo.push(() => {
      process.removeListener(kind as "uncaughtException", listener as never);
      for (const other of others) process.on(kind as "uncaughtException", other as never);
    });
  }
}

function guardStreams(
  tell: (extension: LoadedExtension, where: string, words: string) => void,
  print: GuardOptions["print"],
  undo: (() => void)[],
): void {
  const replaceStream = (name: "stdin" | "stdout", instead: (extension: LoadedExtension) => unknown) => {
    const own = Object.getOwnPropertyDescriptor(process, name);
    if (own?.configurable !== true) return;
    const value = () => (own.get === undefined ? (own.value as unknown) : own.get.call(process));
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: own.enumerable === true,
      get() {
        const extension = directCaller(new Error().stack ?? "", 1);
        return extension === undefined ? value() : instead(extension);
      },
    });
    undo.push(() => Object.defineProperty(process, name, own));
  };
  let silent: Readable | undefined;
  replaceStream("stdin", (extension) => {
    tell(
      extension,
      "process.stdin",
      "reads process.stdin, which is pi's own; it gets nothing (ctx.ui.onTerminalInput sees keys)",
    );
    silent ??= Object.assign(new Readable({ read: () => undefined }), {
      isTTY: false,
      setRawMode: () => silent,
    });
    return silent;
  });
  const write = (text: unknown) => {
    print?.(String(text));
    return true;
  };
  replaceStream("stdout", () => ({
    write,
    end: write,
    on: () => undefined,
    once: () => undefined,
    off: () => undefined,
    removeListener: () => undefined,
    emit: () => false,
    isTTY: false,
    columns: 80,
    rows: 24,
    fd: 1,
    writable: true,
  }));
  if (print === null) return;
  for (const name of ["log", "info", "debug", "table", "dir"] as const) {
    const own = console[name];
    console[name] = (...words: unknown[]) =>
      print(`${words.map((word) => (typeof word === "string" ? word : Bun.inspect(word))).join(" ")}\n`);
    undo.push(() => {
      console[name] = own;
    });
  }
}
