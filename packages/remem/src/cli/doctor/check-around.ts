import { pendingFiles, vectorsLine } from "../commands/status.ts";
import { counted } from "../output/memory-view.ts";
import { type Checker, ok, warn } from "./check.ts";

/** The vectors: which embedder, and how many memories have one. */
export const checkVectors: Checker = async ({ memory }) => {
  const { settings } = await memory.config();
  if (settings.embedding.kind === "off") return [ok("vectors", "switched off: only words are compared")];
  const opened = await memory.reading();
  if (opened === undefined) return [ok("vectors", `${settings.embedding.kind}; nothing to compare yet`)];
  const status = await (await memory.engine(opened)).vectorStatus();
  if (status === undefined)
    return [
      warn(
        "vectors",
        "only words are compared: the embedder cannot be opened",
        "look at embedding in the settings",
      ),
    ];
  const found = `${settings.embedding.kind}: ${vectorsLine(status)} memories have one`;
  return [
    status.settled < status.memories
      ? warn("vectors", found, "make what is missing: remem reembed")
      : ok("vectors", found),
  ];
};

/** The project of this folder, and others that may be the same. */
export const checkProject: Checker = async ({ memory }) => {
  const identity = await memory.identity();
  const known = identity.aliases.map(({ kind, value }) => `${kind} ${value}`).join(", ");
  const opened = await memory.reading();
  const { project } = await memory.context();
  const others = ((await opened?.state.projects()) ?? []).filter(
    ({ key, evidence }) =>
      key !== project &&
      evidence.rootCommit !== undefined &&
      evidence.rootCommit === identity.evidence.rootCommit,
  );
  return [
    ok("project", `${project === "" ? "nothing is remembered of it yet" : project} (${known})`),
    ...others.map(({ key }) =>
      warn("project", `project ${key} has the same first commit`, "if they are one: remem link"),
    ),
  ];
};

/** What was captured and is not in the store. */
export const checkOutbox: Checker = async (call) => {
  const files = await pendingFiles(call);
  return [
    files === 0
      ? ok("outbox", "empty")
      : ok(
          "outbox",
          `${counted(files, "file")}: of running programs, or taken up by the next one that starts`,
        ),
  ];
};

/** Copies beside the store. */
export const checkCopies: Checker = async ({ memory }) => {
  const { storage } = (await memory.config()).settings;
  if (storage.kind !== "sqlite") return [];
  const { listKeptCopies } = await import("../../store/sqlite/backup/list-kept.ts");
  const copies = listKeptCopies(storage.path);
  const bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0);
  return [
    ok(
      "copies",
      copies.length === 0
        ? "none beside the store"
        : `${counted(copies.length, "copy", "copies")} beside the store, ${bytes.toLocaleString("en-US")} bytes; forget reaches them`,
    ),
  ];
};
