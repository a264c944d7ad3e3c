import { statSync } from "node:fs";
import { hasPassword, shownStorage } from "../shown-storage.ts";
import { type Checker, failed, ok, warn } from "./check.ts";

/** The settings: which files count, what is wrong in them, who can read a password in them. */
export const checkSettings: Checker = async ({ memory }) => {
  const { settings, files, problems } = await memory.config();
  const where = files.length === 0 ? `built-in; ${memory.places.userConfig} is not there` : files.join(", ");
  return [
    ok("settings", where),
    ...problems.map((problem) =>
      warn("settings", problem, "correct the file; remem help init tells what can be set"),
    ),
    settings.enabled
      ? ok(
          "memory",
          `on; capture is ${settings.capture.enabled ? "on" : "off in the settings (a host may switch it on)"}`,
        )
      : warn("memory", "switched off in the settings", "set enabled to true to recall again"),
    ok("storage", `${settings.storage.kind}: ${shownStorage(settings.storage)}`),
    ...files.flatMap((file) => {
      const { databaseUrl } = settings.storage;
      if (process.platform === "win32" || databaseUrl === undefined || !hasPassword(databaseUrl)) return [];
      const open = (statSync(file).mode & 0o077) !== 0;
      return open
        ? [failed("settings", `others can read ${file}, and it may hold a password`, `chmod 600 ${file}`)]
        : [];
    }),
  ];
};
