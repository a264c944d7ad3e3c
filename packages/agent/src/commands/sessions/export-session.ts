import type { CommandResult, ParsedArguments } from "../../contract/command.ts";
import { text, textOption, usage } from "./options.ts";
import type { ExportFormat, SessionsPorts } from "./sessions-ports.ts";
import { size } from "./show-session.ts";

const BY_NAME: Readonly<Record<string, ExportFormat>> = {
  html: "html",
  htm: "html",
  json: "json",
  markdown: "markdown",
  md: "markdown",
};

/** The format that a word or a file's ending names; undefined for one that names none. */
export function exportFormat(word: string): ExportFormat | undefined {
  const name = word.toLowerCase();
  return Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
}

/** The format that a file's name asks for. */
export function formatOfFile(file: string): ExportFormat | undefined {
  const ending = /\.([^./\\]+)$/.exec(file)?.[1];
  return ending === undefined ? undefined : exportFormat(ending);
}

/** `pi sessions export ID [--format F] [--output F] [--no-redact]`. */
export async function exportSession(
  id: string,
  { options }: ParsedArguments,
  { sessions }: SessionsPorts,
): Promise<CommandResult> {
  const output = textOption(options, "output") ?? null;
  if (output === "") throw usage("--output wants the name of a file, or - for stdout");
  const named = textOption(options, "format");
  const format =
    named === undefined ? (output === null ? undefined : formatOfFile(output)) : exportFormat(named);
  if (named !== undefined && format === undefined)
    throw usage(`there is no export format "${named}"`, "The formats are html, json and markdown.");
  const redact = options["no-redact"] !== true;
  const written = await sessions.export(id, { format: format ?? "html", output, redact });
  return {
    exitCode: 0,
    blocks:
      written.file === null
        ? []
        : [
            text(`Session ${written.id} is in ${written.file} (${size(written.bytes)}).`),
            text(
              redact
                ? "What looks like a key or a password was taken out; read it before you share it."
                : "Nothing was taken out: it may hold keys and passwords.",
            ),
          ],
    data: { ...written, format: format ?? "html", redacted: redact },
  };
}
