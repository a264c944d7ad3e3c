import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { readHandshake } from "../../../hosts/shared/handshake.ts";
import { describeFailure } from "../../describe-failure.ts";
import { appendToList } from "../../init/append-to-list.ts";
import { editJsonc, readJsonc } from "../../init/edit-jsonc.ts";
import { BUILD_HOSTS, builtPackage } from "../built-package.ts";
import type { HostProblem, HostRegistration, HostWorld } from "../host-registration.ts";
import { loadingProblems } from "../loading-problems.ts";
import { builtExtension } from "../package-folder.ts";
import { piSettingsFile, registeredPlaces } from "./pi-settings.ts";

const FILE = "pi.js";
const SILENT = "look at what it says at its start";

/** Registers this package with Pi: its folder becomes an entry of `packages` in Pi's settings. */
export const piRegistration: HostRegistration = {
  name: "pi",
  title: "Pi",
  async register(world) {
    const folder = builtPackage(world, piRegistration, { what: "extension", file: FILE });
    const file = piSettingsFile(world.home, world.environment);
    let added: readonly string[] = [];
    let others: readonly string[] = [];
    await editJsonc(file, { fresh: "{}\n", shared: true }, (text, jsonc) => {
      const settings: Readonly<Record<string, unknown>> = jsonc.parse(text, [], { allowTrailingComma: true });
      const places = registeredPlaces(settings, { home: world.home, base: dirname(file) });
      others = places.filter((place) => place !== folder);
      if (places.length > 0) return text;
      added = [`packages: ${folder}`];
      return appendToList(jsonc, text, { file, name: "packages", entry: folder });
    });
    const notes = [
      ...(others.length > 0
        ? [
            `Pi loads another copy of this memory (${others.join(", ")}). To change to this one, remove it there first.`,
          ]
        : []),
      ...(isPlainJson(file)
        ? []
        : [
            `Pi reads ${file} as plain JSON and ignores it as long as there are comments or trailing commas in it.`,
          ]),
      ...(added.length > 0 ? ["Start Pi anew, or type /reload in it."] : []),
    ];
    return { file, added, notes };
  },
  async status(world) {
    const file = piSettingsFile(world.home, world.environment);
    const loaded = readHandshake(world.places, "pi");
    try {
      const { value = {} } = await readJsonc(file);
      const places = registeredPlaces(value, { home: world.home, base: dirname(file) });
      return {
        registered: places.length > 0,
        file,
        loaded,
        problems: places.length === 0 ? [] : problemsOf(places, world, file),
      };
    } catch (error) {
      const { message, hint } = describeFailure(error);
      return { registered: false, file, loaded, problems: [{ found: message, hint }] };
    }
  },
};

function problemsOf(places: readonly string[], world: HostWorld, file: string): HostProblem[] {
  const loaded = readHandshake(world.places, "pi");
  const problems: HostProblem[] = [];
  if (!isPlainJson(file))
    problems.push({
      found: `Pi cannot read ${file}: it is JSON with comments, and Pi reads plain JSON`,
      hint: "take the comments and trailing commas out",
    });
  if (places.length > 1)
    problems.push({
      found: `it is registered ${places.length} times: ${places.join(", ")}`,
      hint: `leave one of them in ${file}; the others stay idle in Pi`,
    });
  for (const place of places)
    if (!place.startsWith("npm:") && builtExtension(place, FILE) === undefined)
      problems.push({
        found: `${place} is not built, so that Pi has nothing to load`,
        hint: `in its checkout: ${BUILD_HOSTS}`,
      });
  problems.push(...loadingProblems({ title: "Pi", silent: SILENT }, loaded, world.version));
  return problems;
}

function isPlainJson(file: string): boolean {
  if (!existsSync(file)) return true;
  try {
    JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/u, ""));
    return true;
  } catch {
    return false;
  }
}
