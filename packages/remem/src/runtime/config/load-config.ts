import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { EmbeddingConfig, MemoryConfig, MemorySettings, ProviderConfig } from "./memory-config.ts";
import { type Environment, type Places, projectConfig } from "./places.ts";
import { SETTING_KEYS } from "./setting-keys.ts";
import { type FlatSettings, narrow, overlay, readLayer } from "./settings-layer.ts";

export interface ConfigSources {
  readonly places: Places;
  readonly environment: Environment;
  /** Settings of the host. */
  readonly given: unknown;
  /** The project's top folder. */
  readonly projectRoot: string | undefined;
  readonly ignoreFiles: boolean;
}

/** Built-in, then the user's file, the environment, the host; the project's file then narrows all of it. Never rejects: what is wrong is named. */
export async function loadConfig(sources: ConfigSources): Promise<MemoryConfig> {
  const { places, environment, given, projectRoot, ignoreFiles } = sources;
  const problems: string[] = [];
  const files: string[] = [];
  const take = (layer: { readonly settings: FlatSettings; readonly problems: readonly string[] }) => {
    problems.push(...layer.problems);
    return layer.settings;
  };
  const fromFile = async (path: string): Promise<FlatSettings> => {
    const found = ignoreFiles ? undefined : await readJsonc(path);
    if (found === undefined) return new Map();
    files.push(path);
    if ("problem" in found) {
      problems.push(found.problem);
      return new Map();
    }
    return take(readLayer(found.value, path));
  };
  let settings: FlatSettings = new Map(
    Object.entries(SETTING_KEYS).map(([key, { fallback }]) => [key, fallback]),
  );
  settings = overlay(settings, await fromFile(places.userConfig));
  settings = overlay(settings, fromEnvironment(environment));
  if (given !== undefined) settings = overlay(settings, take(readLayer(given, "the host's options")));
  if (projectRoot !== undefined) {
    const path = projectConfig(projectRoot);
    settings = take(narrow(settings, await fromFile(path), path));
  }
  return { settings: build(settings, places), files, problems };
}

const DATABASE_URL = "REMEM_DATABASE_URL";

function fromEnvironment(environment: Environment): FlatSettings {
  const url = environment[DATABASE_URL];
  return url === undefined || url === ""
    ? new Map()
    : new Map([
        ["storage.kind", "postgres"],
        ["storage.databaseUrl", url],
      ]);
}

function build(flat: FlatSettings, places: Places): MemorySettings {
  const get = <T>(key: string): T => flat.get(key) as T;
  const url = get<string | undefined>("storage.databaseUrl");
  const path = get<string | undefined>("storage.path");
  const base = dirname(places.userConfig);
  const absolute = (written: string): string => expand(written, base, places.home);
  return {
    enabled: get("enabled"),
    storage: {
      kind: get("storage.kind"),
      path: path === undefined ? places.defaultStore : absolute(path),
      ...(url === undefined ? {} : { databaseUrl: url }),
    },
    providers: get<readonly ProviderConfig[]>("providers").map((one) =>
      one.path === undefined ? one : { ...one, path: absolute(one.path) },
    ),
    embedding: withAbsolutePath(get<EmbeddingConfig>("embedding"), absolute),
    capture: {
      enabled: get("capture.enabled"),
      review: get("capture.review"),
      maxPending: get("capture.maxPending"),
      excludedTools: get("capture.excludedTools"),
      excludedPaths: get("capture.excludedPaths"),
    },
    privacy: { enabled: get("privacy.enabled"), patterns: get("privacy.patterns") },
    budgets: {
      promptTokens: get("budgets.promptTokens"),
      startTokens: get("budgets.startTokens"),
    },
    lookbackHours: get("lookbackHours"),
    retention: { days: get("retention.days") },
    compression: {
      enabled: get("compression.enabled"),
      dailyTokens: get("compression.dailyTokens"),
    },
    compaction: get("compaction"),
  };
}

function withAbsolutePath(embedding: EmbeddingConfig, absolute: (path: string) => string): EmbeddingConfig {
  return embedding.kind === "onnx" ? { ...embedding, path: absolute(embedding.path) } : embedding;
}

/** `~` is the home folder; a relative path starts at the settings' folder, never at the current one. */
function expand(path: string, base: string, home: string): string {
  if (path === "~" || path.startsWith("~/")) return join(home, path.slice(1));
  return isAbsolute(path) ? path : resolve(base, path);
}

async function readJsonc(
  path: string,
): Promise<{ readonly value: unknown } | { readonly problem: string } | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return { problem: `${path} cannot be read (${String(code)}); its settings are left out` };
  }
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: import("jsonc-parser").ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/u, ""), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return { value };
  const before = text.slice(0, first.offset).split("\n");
  return {
    problem: `${path}:${before.length}:${before.at(-1)!.length + 1} is no JSON (${printParseErrorCode(first.error)}); the file is left out as a whole`,
  };
}
