import type { CommandCall } from "../command.ts";
import type { HostWorld } from "./host-registration.ts";
import { packageFolder } from "./package-folder.ts";

/** The parts of a command's world that registrations may use. */
export function hostWorld({ world, memory }: CommandCall): HostWorld {
  const { home, environment, version } = world;
  return { home, environment, version, places: memory.places, packageFolder: packageFolder() };
}
