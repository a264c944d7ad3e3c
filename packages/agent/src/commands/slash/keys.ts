import type { SlashCommand } from "../../contract/slash-command.ts";
import { completeWords } from "./shared/complete-words.ts";
import { counted } from "./shared/format.ts";
import { type KeyBinding, keyTables } from "./shared/key-tables.ts";
import { refused, said, table, text } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

export interface KeysPorts {
  keys: {
    list(): readonly KeyBinding[];
    conflicts(): readonly KeyConflict[];
    /** The user's config file, fit to be shown. */
    readonly file: string;
  };
}

/** A key that several actions want at once, or a key setting that cannot be used (`key` is what was set, `problem` says why). */
export interface KeyConflict {
  key: string;
  actions: readonly string[];
  problem?: string;
}

/** `/keys [conflicts]`: the keys by what they are for and where to change them, or what is wrong with them. */
export const keysCommand: SlashCommand<KeysPorts> = {
  ...slashInfo("keys"),
  complete: async (argument) =>
    completeWords(argument, [["conflicts", "keys that two actions want"], ["list"]]),
  async run(argument, { ports: { keys } }) {
    const change = `To change keys, set "keybindings" in ${keys.file}: { "NAME": "ctrl+r" } or a list of keys; an empty list takes them away.`;
    if (argument === "" || argument === "list")
      return { blocks: [...keyTables(keys.list(), true), text(change)] };
    if (argument !== "conflicts")
      return refused(
        `/keys does not know "${argument}".`,
        "/keys lists the keys, /keys conflicts what is wrong.",
      );
    const conflicts = keys.conflicts();
    if (conflicts.length === 0) return said("Every key has one meaning.");
    const wanted = conflicts.filter(({ actions }) => actions.length > 0);
    const others = conflicts.filter(({ actions }) => actions.length === 0);
    return {
      blocks: [
        text(`${counted(conflicts.length, "conflict")}:`),
        ...others.map(({ key, problem }) => text(problem === undefined ? key : `${key}. ${problem}`)),
        ...(wanted.length === 0
          ? []
          : [
              table(
                ["key", "wanted by", ""],
                wanted.map(({ key, actions, problem }) => [key, actions.join(", "), problem ?? ""]),
              ),
            ]),
        text(change),
      ],
    };
  },
};
