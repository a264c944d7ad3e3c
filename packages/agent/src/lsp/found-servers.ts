import { findProgram, type SearchPlaces } from "./find-program.ts";
import { type ServerSetting, withSettings } from "./server-definition.ts";
import { SERVERS } from "./server-table.ts";

/** A server that is installed. */
export interface FoundServer {
  name: string;
  language: string;
  program: string;
  /** It would run programs of a project that is not trusted, and is therefore not started here. */
  needsTrust: boolean;
}

/** The servers of a project that are installed, in the order in which they are asked. Starts none. */
export function foundServers(
  settings: Readonly<Record<string, ServerSetting>>,
  places: SearchPlaces,
): FoundServer[] {
  return withSettings(SERVERS, settings).flatMap((definition) => {
    const found = findProgram(definition, places.project, places);
    if (found === null) return [];
    const { name, language } = definition;
    const needsTrust = definition.runsProject === true && !places.trusted;
    return [{ name, language, program: found.argv[0]!, needsTrust }];
  });
}
