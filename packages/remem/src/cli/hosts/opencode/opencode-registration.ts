import { dirname, join } from "node:path";
import { type Handshake, readHandshake } from "../../../hosts/shared/handshake.ts";
import { describeFailure } from "../../describe-failure.ts";
import { appendToList } from "../../init/append-to-list.ts";
import { editJsonc, readJsonc } from "../../init/edit-jsonc.ts";
import { BUILD_HOSTS, builtPackage } from "../built-package.ts";
import type { HostProblem, HostRegistration, HostWorld } from "../host-registration.ts";
import { loadingProblems } from "../loading-problems.ts";
import { builtExtension } from "../package-folder.ts";
import { isStubSafe, layStub, reachesRegistry, removeStub, stubState } from "./install-stub.ts";
import {
  fileForPlugins,
  opencodeFolder,
  type PluginEntry,
  pluginEntries,
  settingsFiles,
} from "./opencode-settings.ts";

const FILE = "opencode-v1.js";
const SILENT = "look into its log (OpenCode itself says nothing when a plugin fails)";
const FRESH = `{\n  "$schema": "https://opencode.ai/config.json"\n}\n`;

/** Registers this package with OpenCode: its folder becomes an entry of `plugin` in the user's settings. */
export const opencodeRegistration: HostRegistration = {
  name: "opencode",
  title: "OpenCode",
  async register(world) {
    const own = builtPackage(world, opencodeRegistration, { what: "plugin", file: FILE });
    const folder = opencodeFolder(world.home, world.environment);
    const entries = await allEntries(folder);
    const places = placesOf(entries);
    const file = places[0]?.file ?? (await fileForPlugins(folder));
    const isNew = places.length === 0;
    if (isNew)
      await editJsonc(file, { fresh: FRESH, shared: true }, (text, jsonc) =>
        appendToList(jsonc, text, { file, name: "plugin", entry: own }),
      );
    const others = places.filter(({ place }) => place !== own);
    return {
      file,
      added: isNew ? [`plugin: ${own}`] : [],
      notes: [
        ...(others.length > 0
          ? [
              `OpenCode loads another copy of this memory (${others.map(({ written }) => written).join(", ")}). To change to this one, remove it there first.`,
            ]
          : []),
        ...gone(entries).map(({ found, hint }) => `${found}: ${hint}.`),
        ...(await installNotes(folder, world.environment)),
        ...(isNew ? ["Start OpenCode anew."] : []),
      ],
    };
  },
  async status(world) {
    const folder = opencodeFolder(world.home, world.environment);
    const loaded = readHandshake(world.places, "opencode");
    const file = settingsFiles(folder)[0] ?? join(folder, "opencode.json");
    try {
      const entries = await allEntries(folder);
      const places = placesOf(entries);
      return {
        registered: places.length > 0,
        file: places[0]?.file ?? file,
        loaded,
        problems: places.length === 0 ? gone(entries) : problemsOf(entries, world, loaded),
      };
    } catch (error) {
      const { message, hint } = describeFailure(error);
      return { registered: false, file, loaded, problems: [{ found: message, hint }] };
    }
  },
};

interface FoundEntry extends PluginEntry {
  readonly file: string;
}

/** The plugins of all settings files of the user. Rejects with a CliError for one that is broken. */
async function allEntries(folder: string): Promise<readonly FoundEntry[]> {
  const found: FoundEntry[] = [];
  for (const file of settingsFiles(folder)) {
    const { value = {} } = await readJsonc(file);
    found.push(...pluginEntries(value, dirname(file)).map((entry) => ({ ...entry, file })));
  }
  return found;
}

function placesOf(entries: readonly FoundEntry[]): readonly (FoundEntry & { readonly place: string })[] {
  return entries.flatMap((entry) => (entry.place === undefined ? [] : [{ ...entry, place: entry.place }]));
}

function gone(entries: readonly FoundEntry[]): HostProblem[] {
  return entries
    .filter(({ isGone }) => isGone)
    .map(({ written, file }) => ({
      found: `${written} in ${file} is not there any more`,
      hint: "take that entry out; OpenCode passes over it without a word",
    }));
}

function problemsOf(
  entries: readonly FoundEntry[],
  { environment, version }: HostWorld,
  loaded: Handshake | null,
): HostProblem[] {
  const places = placesOf(entries);
  const problems = gone(entries);
  if (places.length > 1)
    problems.push({
      found: `it is registered ${places.length} times: ${places.map(({ written, file }) => `${written} (${file})`).join(", ")}`,
      hint: "leave one of them; OpenCode loads all, and the others stay idle",
    });
  for (const { place } of places)
    if (place.startsWith("/") && builtExtension(place, FILE) === undefined)
      problems.push({
        found: `${place} is not built, so that OpenCode has nothing to load`,
        hint: `in its checkout: ${BUILD_HOSTS}`,
      });
  if (["1", "true"].includes(environment["OPENCODE_PURE"] ?? ""))
    problems.push({
      found: "OPENCODE_PURE is set: OpenCode loads no plugins",
      hint: "unset it where OpenCode is to have memory",
    });
  problems.push(...loadingProblems({ title: "OpenCode", silent: SILENT }, loaded, version));
  return problems;
}

/** What a person should know of the installation that OpenCode does for plugins; puts the stub there, or takes it away, where that is right. */
async function installNotes(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const state = stubState(folder);
  if (state === "installed") return [];
  if (await reachesRegistry(environment)) {
    removeStub(folder);
    return [
      "With its first plugin OpenCode installs its types for plugins from the npm registry: that start takes some seconds longer.",
    ];
  }
  if (state === "ours") return [];
  if (isStubSafe(folder)) {
    layStub(folder);
    return [
      `The npm registry cannot be reached. OpenCode would wait for it more than a minute at every start, so ${folder} has an empty node_modules and a package-lock.json now that keep it from that. Run this again when there is a network: they are taken away.`,
    ];
  }
  return [
    "The npm registry cannot be reached. OpenCode waits for it more than a minute at every start with a plugin: start it with npm_config_fetch_retries=0 as long as there is no network.",
  ];
}
