import type { DoctorCheck } from "../commands/doctor.ts";
import { mayHoldMemories, memoryPlaces } from "../memory/memory-places.ts";
import type { Place } from "./place.ts";
import type { Settings } from "./run-setup.ts";

/** The line of `pi doctor` about the long-term memory. A store is opened for reading only; a missing one is not made. */
export async function memoryChecks(settings: Settings, place: Place): Promise<DoctorCheck[]> {
  const name = "memory";
  const { memory: setting } = settings.config;
  const { environment, home, cwd } = place;
  if (!setting.enabled) return [{ name, state: "ok", found: "off by configuration (memory.enabled)" }];
  const places = memoryPlaces({
    configured: setting.db_path,
    root: home.root,
    user: home.user,
    environment,
  });
  if (!mayHoldMemories(places, environment))
    return [{ name, state: "ok", found: `on, nothing is stored yet; it will be in ${places.store}` }];
  const { openEngine } = await import("../memory/open-engine.ts");
  const problems: string[] = [];
  await using memory = openEngine({
    cwd,
    root: home.root,
    user: home.user,
    environment,
    setting,
    interactive: false,
    captures: false,
    onNotice: ({ message }) => problems.push(message.replace(/^memory: /, "")),
  });
  const state = await memory.ready();
  const { providers } = await memory.session({ id: "doctor" }).status();
  const lines = problems.map((found): DoctorCheck => ({ name, state: "limited", found }));
  if (state === "off") return [...lines, { name, state: "ok", found: "off by the engine's own settings" }];
  return [
    ...lines,
    ...providers.map(({ id, health, memories, candidates, error }): DoctorCheck => {
      const where = id === "primary" ? places.store : id;
      if (health === "ok") {
        const waiting = candidates > 0 ? `, ${candidates} wait for /memory review` : "";
        return { name, state: "ok", found: `${memories} memories in ${where}${waiting}` };
      }
      return {
        name,
        state: "limited",
        found: `${where} ${health === "failed" ? `cannot be read (${error ?? "unknown reason"})` : "gave no answer in time"}`,
        hint: "pi works without it; move the file away to begin a new one, nothing of it is ever deleted",
      };
    }),
  ];
}
