import { relative } from "node:path";
import type { ExportPorts } from "../../../commands/slash/export.ts";
import type { Program } from "../program.ts";
import { homeRelative } from "./settings-port.ts";

/** Writes the open conversation as a document. */
export function exportPort(program: Program): ExportPorts["export"] {
  return {
    async write({ format, file, redact }) {
      const { session } = program;
      if (session === undefined || !session.messages().some(({ role }) => role === "assistant")) return null;
      const { exportToFile, secretsOf } = await import("../../sessions/export-file.ts");
      const { cwd, environment, home } = program.parts.place;
      const request = { format, redact, secrets: secretsOf(environment) };
      const wanted = file?.replace(/^~(?=[/\\])/, () => home.user) ?? null;
      const written = await exportToFile(session.transcript(), request, cwd, wanted);
      const inside = relative(cwd, written.file);
      return { ...written, file: inside.startsWith("..") ? homeRelative(written.file) : inside };
    },
  };
}
