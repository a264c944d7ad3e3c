import { readdirSync, readFileSync } from "node:fs";

/** A living process as the operating system lists it (zombies are dead to us and not listed). */
export interface ListedProcess {
  pid: number;
  parent: number;
  group: number;
  /** Tells a process from a later one with the same pid; empty where the system does not say. */
  start: string;
  /** The variable `NAME=value` is in the environment it was started with. */
  carries(variable: string): boolean;
  /** Its command line for people, at most 120 characters. */
  commandLine(): string;
}

/** All living processes. Empty on Windows and where `ps` is missing. Linux: one small read a process, no program started. */
export function listProcesses(): ListedProcess[] {
  if (process.platform === "linux") return fromProc();
  return process.platform === "win32" ? [] : fromPs();
}

function fromProc(): ListedProcess[] {
  const listed: ListedProcess[] = [];
  for (const name of readdirSync("/proc")) {
    if (name < "0" || name > "9999999999") continue;
    const stat = readText(`/proc/${name}/stat`);
    // proc(5): "pid (name) state ppid pgrp session ..."; the name may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields.length < 20 || fields[0] === "Z" || fields[0] === "X") continue;
    listed.push({
      pid: Number(name),
      parent: Number(fields[1]),
      group: Number(fields[2]),
      start: fields[19] ?? "",
      carries: (variable) => `\0${readText(`/proc/${name}/environ`)}`.includes(`\0${variable}\0`),
      commandLine: () =>
        shorten(readText(`/proc/${name}/cmdline`).replace(/\0/g, " ").trim() || processName(stat)),
    });
  }
  return listed;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // it ended meanwhile, or it is another user's
    return "";
  }
}

function fromPs(): ListedProcess[] {
  const shown = Bun.spawnSync(["ps", "-A", "-E", "-ww", "-o", "pid=,ppid=,pgid=,stat=,command="], {
    stdin: "ignore",
    stderr: "ignore",
  });
  const listed: ListedProcess[] = [];
  for (const line of shown.stdout.toString().split("\n")) {
    const [, pid, parent, group, state, command] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state?.startsWith("Z")) continue;
    const words = ` ${command} `;
    const program = words.slice(1, words.search(/ [A-Za-z_]\w*=/) + 1 || -1);
    listed.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      start: "",
      carries: (variable) => words.includes(` ${variable} `),
      commandLine: () => shorten(program),
    });
  }
  return listed;
}

function processName(stat: string): string {
  return stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120).toWellFormed()}…` : text;
}
