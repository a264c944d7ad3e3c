import type { DoctorCheck } from "../../commands/doctor.ts";
import type { Flags } from "../flags.ts";
import type { Place } from "../place.ts";
import type { Settings } from "../run-setup.ts";
import { mayHaveExtensions } from "./may-have-extensions.ts";

/** The lines of `pi doctor` about extensions: what is found, and what is named and not there. Nothing of theirs is run. */
export async function extensionChecks(
  flags: Flags,
  settings: Settings,
  place: Place,
): Promise<DoctorCheck[]> {
  const name = "extensions";
  if (flags.noExtensions) return [{ name, state: "ok", found: "off (--no-extensions)" }];
  const parts = { ...place, flags, settings };
  if (!mayHaveExtensions(parts)) return [{ name, state: "ok", found: "none" }];
  const { foundExtensions } = await import("./load-host.ts");
  const { entries, problems } = foundExtensions(parts);
  const names = entries.map((entry) => entry.name).join(", ");
  return [
    {
      name,
      state: "ok",
      found: entries.length === 0 ? "none" : `${names}; /extensions in the terminal shows how they run`,
    },
    ...problems.map((found): DoctorCheck => ({ name: "extension", state: "limited", found })),
  ];
}
