import type { FoundKey, KeyLookup } from "../../../contract/settings.ts";
import { keyProblem } from "../../../platform/key-problem.ts";
import { type ResolvedModel, type ResolveOptions, resolveModel } from "../resolve.ts";

/** Keys out of an environment, as the configuration finds them. */
export function keysIn(environment: Readonly<Record<string, string>>): KeyLookup {
  return {
    find(variable): FoundKey | undefined {
      const value = environment[variable];
      if (value === undefined) return undefined;
      const problem = keyProblem(value);
      return { variable, value, source: "the environment", ...(problem === undefined ? {} : { problem }) };
    },
  };
}

/** Options of a machine with this environment, no configuration, no Ollama, and no network. */
export function optionsWith(
  environment: Readonly<Record<string, string>>,
  other: Partial<ResolveOptions> = {},
): ResolveOptions {
  return {
    roles: {},
    providers: {},
    environment,
    keys: keysIn(environment),
    environmentFile: "/home/u/.pi-go/.env",
    fetch: () => Promise.reject(new Error("no network in this test")),
    localModels: async () => null,
    ...other,
  };
}

/** Resolves on a machine of {@link optionsWith}. */
export function resolveWith(
  environment: Readonly<Record<string, string>>,
  other: Partial<ResolveOptions> = {},
): Promise<ResolvedModel> {
  return resolveModel(optionsWith(environment, other));
}

/** The notices' texts, one a line. */
export function said(resolved: ResolvedModel): string {
  return resolved.notices.map((notice) => notice.message).join("\n");
}
