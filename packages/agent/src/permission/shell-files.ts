import { type ProgramRun, programName } from "../platform/shell-syntax/programs-run.ts";
import type { ShellWord } from "../platform/shell-syntax/shell-line.ts";
import { looksLikeOption } from "./command-words.ts";

/** A file that a command line touches, as far as can be told. */
export interface TouchedFile {
  access: "read" | "write";
  /** Every path that it may be: one for each folder in which the command may run. Empty when it is not known. */
  paths: string[];
  /** The same for words with `*`, `?` or `[…]` in them, and for words behind a `cd` to such a folder. */
  shapes: string[];
  /** It is what the shell itself opens (`> file`), not only a word of a command. */
  redirected: boolean;
  run: ProgramRun;
  source: string;
}

const WRITERS =
  /^(?:tee|cp|mv|rm|rmdir|unlink|shred|touch|truncate|ln|install|dd|rsync|chmod|chown|chgrp|mkdir|patch|sed|gsed|perl|ex|ed|vim|nvim|sponge|split|tar|unzip|zip)$/;
const IN_PLACE = /^(?:sed|gsed|perl)$/;
const NO_FILE = /^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\/\d+)$/;
const MAX_FOLDERS = 8;

/**
 * Files that a line reads or writes: its redirections, and words of its commands. Words of programs known to write count as
 * written too. A command in a script or inside another program is not looked into.
 */
export function touchedFiles(runs: readonly ProgramRun[]): TouchedFile[] {
  const touched: TouchedFile[] = [];
  const folders = workingFolders(runs);
  const placesOf: PlacesOf = (text, shape) => {
    const places = { paths: [] as string[], shapes: [] as string[] };
    for (const folder of text.startsWith("/") ? [PROJECT] : (folders ?? [])) {
      const list = shape || (folder.shape && !text.startsWith("/")) ? places.shapes : places.paths;
      list.push(text.startsWith("/") || folder === PROJECT ? text : `${folder.path}/${text}`);
    }
    return places;
  };
  for (const run of runs) {
    for (const { operator, target } of run.command.redirections) {
      if (operator.startsWith("<<")) continue;
      if (/^[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(target.text)) continue;
      if (target.kind === "literal" && NO_FILE.test(target.text)) continue;
      const places = target.kind === "literal" ? placesOf(target.text, false) : { paths: [], shapes: [] };
      const access = operator === "<" || operator === "<&" ? "read" : "write";
      touched.push({ access, ...places, redirected: true, run, source: `${operator} ${target.text}` });
    }
    touched.push(...wordsAsFiles(run, placesOf));
  }
  return touched;
}

type PlacesOf = (text: string, shape: boolean) => Pick<TouchedFile, "paths" | "shapes">;

interface WorkingFolder {
  path: string;
  shape: boolean;
}

const PROJECT: WorkingFolder = { path: ".", shape: false };

function wordsAsFiles(run: ProgramRun, placesOf: PlacesOf): TouchedFile[] {
  const touched: TouchedFile[] = [];
  const [program, ...words] = run.command.words;
  if (program === undefined) return touched;
  const name = programName(program);
  const writes =
    WRITERS.test(name) &&
    (!IN_PLACE.test(name) || words.some((word) => /^-[A-Za-z]*i|^--in-place/.test(word.text)));
  for (const word of words) {
    if (word.kind === "dynamic") continue;
    const text = fileText(word);
    if (text === "") continue;
    const { paths, shapes } = placesOf(text, false);
    if (word.kind === "pattern") shapes.push(...placesOf(namedText(word), true).shapes);
    const file = { paths, shapes, redirected: false, run, source: word.text };
    touched.push({ ...file, access: "read" });
    if (writes) touched.push({ ...file, access: "write" });
  }
  return touched;
}

/** The file that a word may name: `of=x` and `--file=x` name x; of a pattern its folder with some name in it. */
function fileText(word: ShellWord): string {
  const text = namedText(word);
  if (looksLikeOption(text)) return "";
  if (word.kind === "literal") return text;
  return text.startsWith("~") ? "" : text.replace(/[^/]*[*?[][\s\S]*$/, "x");
}

function namedText(word: ShellWord): string {
  return word.text.replace(/^(?:--?[A-Za-z][\w-]*|[A-Za-z]\w*)=/, "");
}

/** Every folder in which commands of the line may run, relative to the project; null when that cannot be told. */
function workingFolders(runs: readonly ProgramRun[]): WorkingFolder[] | null {
  const folders = [PROJECT];
  for (const { command } of runs) {
    const name = programName(command.words[0]);
    if (name === "popd" || (name === "pushd" && command.words.length === 1)) return null;
    if (name !== "cd" && name !== "pushd" && name !== "chdir") continue;
    const target = command.words.slice(1).find((word) => !looksLikeOption(word.text));
    if (target === undefined || target.kind === "dynamic" || /^(?:-$|$|~)/.test(target.text)) return null;
    for (const folder of [...folders]) {
      const path =
        target.text.startsWith("/") || folder === PROJECT ? target.text : `${folder.path}/${target.text}`;
      const shape = target.kind === "pattern" || (folder.shape && !target.text.startsWith("/"));
      if (!folders.some((known) => known.path === path)) folders.push({ path, shape });
    }
    if (folders.length > MAX_FOLDERS) return null;
  }
  return folders;
}
