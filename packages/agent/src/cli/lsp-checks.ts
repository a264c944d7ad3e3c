import type { DoctorCheck } from "../commands/doctor.ts";
import { searchPlaces } from "../lsp/find-program.ts";
import { foundServers } from "../lsp/found-servers.ts";
import type { Place } from "./place.ts";
import type { Settings } from "./run-setup.ts";

/** A line of `pi doctor` for each language server that is installed. None is started: whether it works shows at its first use. */
export function lspChecks({ config, trusted }: Settings, place: Place): DoctorCheck[] {
  const name = "language server";
  const { mode, servers } = config.lsp;
  if (mode === "off") return [{ name, state: "ok", found: "off by configuration" }];
  const places = searchPlaces(place.environment, place.home.user, place.cwd, trusted);
  const found = foundServers(servers, places);
  if (found.length === 0)
    return [
      {
        name,
        state: "limited",
        found: "none found; edits are neither formatted nor checked by one",
        hint: "install the server of your language (docs/language-servers.md), or switch them off: --lsp off",
      },
    ];
  return found.map(({ name: server, language, program, needsTrust }) =>
    needsTrust
      ? {
          name,
          state: "limited",
          found: `${server} for ${language}: not used here, since it runs programs of the project`,
          hint: `start pi with --trust, or set lsp.servers["${server}"].untrusted to true in your own configuration`,
        }
      : { name, state: "ok", found: `${server} for ${language}: ${program}` },
  );
}
