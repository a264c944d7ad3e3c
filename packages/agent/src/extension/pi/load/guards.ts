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

let guarded = false;
let redirected: { users: number; undo(): void } | undefined;

/**
 * Puts the guards in place; the result lets output of extensions go its own way again when its last user is gone. What keeps the process
 * alive stays for as long as it runs: a timer of an extension whose conversation is closed can still fail.
 */
export function installGuards(options: GuardOptions): () => void {
  if (!guarded) guardProcess();
  guarded = true;
  redirected ??= { users: 0, undo: redirect(options) };
  const mine = redirected;
  mine.users++;
  let gone = false;
  return () => {
    if (gone) return;
    gone = true;
    if (--mine.users > 0) return;
    mine.undo();
    redirected = undefined;
  };
}

type Guarded = "abort" | "chdir" | "exit" | "kill" | "reallyExit" | "removeAllListeners";

/** `reallyExit` is in no types, and is there. */
const guardable = process as unknown as Record<Guarded, unknown>;

/** What pi listens to itself. */
const OUR_EVENTS: ReadonlySet<unknown> = new Set([
  "uncaughtException",
  "unhandledRejection",
  "exit",
  "SIGINT",
  "SIGTERM",
  "SIGHUP",
  "SIGWINCH",
  "SIGCONT",
]);

/** This process, its group (0, or its number below zero), or everything (-1). */
function isOurs(pid: number): boolean {
  return pid === 0 || pid === -1 || Math.abs(pid) === process.pid;
}

function tell(extension: LoadedExtension, where: string, words: string): void {
  extension.told?.note(extension, where, words);
}

function guardProcess(): void {
  const caller = () => directCaller(new Error().stack ?? "", 2);
  const replace = <Key extends Guarded>(
    name: Key,
    instead: (extension: LoadedExtension, ...values: unknown[]) => boolean,
  ) => {
    const own = guardable[name] as (...values: unknown[]) => unknown;
    const guarded = (...values: unknown[]): unknown => {
      const extension = caller();
      return extension !== undefined && instead(extension, ...values)
        ? undefined
        : own.apply(process, values);
    };
    guardable[name] = guarded;
  };
  const refused = (what: string) => (extension: LoadedExtension) => {
    tell(extension, what, `called ${what}; pi stays as it is`);
    return true;
  };
  for (const name of ["exit", "reallyExit"] as const)
    replace(name, (extension) => {
      refused(`process.${name}()`)(extension);
      // What follows an exit is not meant to run.
      throw new Error(`process.${name}() is not for extensions; ctx.shutdown() ends pi`);
    });
  replace("chdir", refused("process.chdir()"));
  replace("abort", refused("process.abort()"));
  replace(
    "kill",
    // Signal 0 only asks whether it runs.
    (extension, pid, signal) =>
      isOurs(Number(pid)) && signal !== 0 && refused("process.kill() on pi itself")(extension),
  );
  replace(
    "removeAllListeners",
    (extension, event) =>
      (event === undefined || OUR_EVENTS.has(event)) &&
      refused(`process.removeAllListeners(${event === undefined ? "" : String(event)})`)(extension),
  );
  guardFaults();
}

/** Faults that nobody caught: those of extensions are told of and go no further. */
function guardFaults(): void {
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
  }
}

/** Where the output of extensions goes, and their keyboard; the result takes that back. */
function redirect({ print }: GuardOptions): () => void {
  const undo: (() => void)[] = [];
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
  if (print !== null) redirectConsole(print, undo);
  return () => {
    for (const each of undo.reverse()) each();
  };
}

function redirectConsole(print: (text: string) => void, undo: (() => void)[]): void {
  for (const name of ["log", "info", "debug", "table", "dir"] as const) {
    const own = console[name];
    console[name] = (...words: unknown[]) =>
      print(`${words.map((word) => (typeof word === "string" ? word : Bun.inspect(word))).join(" ")}\n`);
    undo.push(() => {
      console[name] = own;
    });
  }
}
