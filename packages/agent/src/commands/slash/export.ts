import type { SlashCommand } from "../../contract/slash-command.ts";
import { exportFormat, formatOfFile } from "../sessions/export-session.ts";
import type { ExportFormat } from "../sessions/sessions-ports.ts";
import { size } from "../sessions/show-session.ts";
import { completeWords } from "./shared/complete-words.ts";
import { refused, said } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

export interface ExportPorts {
  export: {
    /**
     * Writes the open conversation with all its branches as a document. `file` is relative to the current folder; null: a new file there.
     * Null when nothing was said yet. Rejects with a PiError when it cannot be written.
     */
    write(options: {
      format: ExportFormat;
      file: string | null;
      redact: boolean;
    }): Promise<{ file: string; bytes: number } | null>;
  };
}

const KEEP = "--no-redact";

/** `/export [file] [html|markdown|json] [--no-redact]`: the conversation as a document to share or keep. */
export const exportCommand: SlashCommand<ExportPorts> = {
  ...slashInfo("export"),
  complete: async (argument) =>
    completeWords(argument, [
      ["html", "a page that needs nothing else"],
      ["markdown", "for a pull request or a wiki"],
      ["json", "for programs, and for pi sessions import"],
    ]),
  async run(argument, { ports }) {
    const words = argument.split(/\s+/).filter((word) => word !== "");
    const redact = !words.includes(KEEP);
    const rest = words.filter((word) => word !== KEEP);
    const unknown = rest.find((word) => word.startsWith("-"));
    if (unknown !== undefined)
      return refused(`/export has no option ${unknown}.`, "/help export lists its forms.");
    const last = rest.at(-1);
    const named = last === undefined ? undefined : exportFormat(last);
    // A file name may have spaces in it.
    const file = (named === undefined ? rest : rest.slice(0, -1)).join(" ");
    const format = named ?? (file === "" ? undefined : formatOfFile(file)) ?? "html";
    const written = await ports.export.write({ format, file: file === "" ? null : file, redact });
    if (written === null) return refused("There is nothing to export yet: the conversation is empty.");
    return said(
      `The conversation is in ${written.file} (${size(written.bytes)}).`,
      redact
        ? "What looks like a key or a password was taken out; read it before you share it."
        : "Nothing was taken out: it may hold keys and passwords.",
    );
  },
};
