import type { ExtensionsPorts } from "../../../commands/slash/extensions.ts";
import type { SlashPorts } from "../../../commands/slash/slash-ports.ts";
import { PiError } from "../../../contract/errors.ts";
import type { ProgramPort } from "../../../extension/pi/host/host-ports.ts";
import type { LateExtensions } from "../../extensions/conversation-extensions.ts";
import { listedExtensions } from "../../extensions/extension-list.ts";
import type { Program } from "../program.ts";
import { homeRelative } from "./settings-port.ts";

/** The extensions of the open conversation. */
export function extensionsPort(program: Program): ExtensionsPorts["extensions"] {
  const late = (): LateExtensions | undefined => program.app?.extensions;
  const host = () => late()?.host ?? null;
  return {
    off() {
      if (program.parts.flags.noExtensions) return "it was started with --no-extensions";
      return late() === undefined ? "the conversation is not open" : null;
    },
    list: () => listedExtensions(host()?.extensions ?? [], homeRelative),
    problems: () => late()?.found.problems ?? [],
    async reload() {
      if (host() === null)
        throw new PiError({
          code: "no_extensions",
          message: "no extension was there when this conversation began",
          hint: "/restart looks for them again.",
        });
      await late()!.reload();
    },
    has: (name) => host()?.commands.has(name) === true,
    run: async (name, argument, signal) => await host()?.commands.run(name, argument, signal),
    complete: async (name, argument, signal) =>
      (await host()?.commands.complete(name, argument, signal)) ?? [],
  };
}

/** What commands of extensions may do to the program, by what its own commands do. */
export function extensionProgram(ports: SlashPorts, program: Program): ProgramPort {
  /** The message of a person at or before a record. */
  const turnOf = async (record: string): Promise<{ turn: string; isTurn: boolean }> => {
    const turns = new Set((await ports.moves.tree()).map(({ turn }) => turn));
    const nodes = program.session?.tree.nodes;
    for (let node = nodes?.get(record) ?? null; node !== null; node = node.parent)
      if (turns.has(node.id)) return { turn: node.id, isTurn: node.id === record };
    throw new PiError({
      code: "record_missing",
      message: `there is no message "${record}" in this conversation`,
      hint: "/tree shows what is there.",
    });
  };
  return {
    async newSession() {
      await ports.session.fresh();
      return true;
    },
    async switchSession(id) {
      await ports.sessions.open(id.replace(/^.*\/([^/]+)\/events\.jsonl$/, "$1"));
      return true;
    },
    async fork(record, position) {
      const { turn } = await turnOf(record);
      await ports.sessions.open(
        await ports.moves.fork({ turn, side: position === "before" ? "before" : "after" }),
      );
      return true;
    },
    async goTo(record, { summarize, instructions }) {
      const { turn, isTurn } = await turnOf(record);
      const view = await ports.moves.look({ turn, side: isTurn ? "before" : "after" });
      const { signal } = new AbortController();
      const notes = summarize ? await ports.moves.summarise(view, instructions ?? null, signal) : null;
      await ports.moves.go(view, [], true, notes?.state === "done" ? notes.message : undefined);
      return true;
    },
    reload: () => ports.extensions.reload(),
    async goOn(file, work) {
      await program.app?.extensions.host?.goOn(file, work);
    },
    quit: () => ports.program.quit(),
  };
}

/** Going back and forth, with extensions asked before and told after. */
export function watchedMoves(moves: SlashPorts["moves"], program: Program): SlashPorts["moves"] {
  const host = () => program.app?.extensions.host ?? null;
  const allowed = async (type: string, fields: Record<string, unknown>) => {
    const by = (await host()?.cancels(type, fields)) ?? null;
    if (by !== null)
      throw new PiError({
        code: "extension_refused",
        message: `the extension "${by}" does not let this happen now`,
      });
  };
  return {
    ...moves,
    async go(view, files, conversation, notes) {
      const oldLeafId = program.session?.head ?? null;
      const targetId = view.place === null || "branch" in view.place ? null : view.place.turn;
      await allowed("session_before_tree", {
        preparation: { targetId, oldLeafId, entriesToSummarize: [], userWantsSummary: notes !== undefined },
      });
      const done = await moves.go(view, files, conversation, notes);
      await host()?.tell("session_tree", { newLeafId: program.session?.head ?? null, oldLeafId });
      return done;
    },
    async fork(place) {
      await allowed("session_before_fork", {
        entryId: place.turn,
        position: place.side === "before" ? "before" : "at",
      });
      return await moves.fork(place);
    },
  };
}
