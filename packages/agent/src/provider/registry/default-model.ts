import { PiError } from "../../contract/errors.ts";
import type { Notice } from "../../contract/settings.ts";
import type { ModelReference } from "./model-reference.ts";
import { isUsable, type KeyPlace, type KeyState, lookForKey } from "./provider-key.ts";
import { providerTarget, type TargetOptions } from "./provider-target.ts";
import { BUILT_IN_PROVIDERS } from "./providers.ts";

export interface DefaultModelOptions extends TargetOptions, KeyPlace {
  /** Names of the models that the Ollama at an address has, newest first; null when nothing answers there. */
  localModels?(baseUrl: string): Promise<string[] | null>;
}

const FIRST = ["anthropic", "openai", "gemini"];

/**
 * The model of a run for which none was set: the default of the first provider with a key (anthropic, openai, gemini, then the
 * configured ones, then every other known service), else a model of a running Ollama; said in a notice. Throws PiError `no_key`
 * (exit code 4) that says exactly what to set.
 */
export async function defaultModel(options: DefaultModelOptions, notices: Notice[]): Promise<ModelReference> {
  const problems: string[] = [];
  const choose = (name: string, id: string | undefined): ModelReference | undefined => {
    const target = providerTarget(name, options);
    if (!target || !id) return undefined;
    const found = lookForKey(target, options);
    if (found.state === "bad") problems.push(found.why);
    if (!isUsable(target, found)) return undefined;
    for (const problem of problems)
      notices.push({ level: "warning", message: `an API key was passed over: ${problem}` });
    notices.push({
      level: "info",
      message: `no model is set: using ${name}/${id}${because(found)}. Set roles.default in the config file, or --model, to choose`,
    });
    return { provider: name, id };
  };
  const others = BUILT_IN_PROVIDERS.filter(
    (provider) => !FIRST.includes(provider.name) && provider.name !== "ollama",
  );
  const candidates: [string, string | undefined][] = [
    ...FIRST.map((name): [string, string | undefined] => [name, builtInDefault(name, options)]),
    ...Object.entries(options.providers)
      .filter(([name]) => !BUILT_IN_PROVIDERS.some((provider) => provider.name === name))
      .map(([name, setting]): [string, string | undefined] => [name, setting.models?.[0]?.id]),
    ...others.map(({ name }): [string, string | undefined] => [name, builtInDefault(name, options)]),
  ];
  for (const [name, id] of candidates) {
    const chosen = choose(name, id);
    if (chosen) return chosen;
  }
  const ollama = providerTarget("ollama", options)!;
  const local = (await options.localModels?.(ollama.baseUrl)) ?? null;
  const model = local?.[0];
  if (model !== undefined) return choose("ollama", model)!;
  throw noKey(problems, ollama.baseUrl, local !== null, options.environmentFile);
}

function because(found: KeyState): string {
  if (found.state === "ok") return ` (${found.key.variable} from ${found.key.source})`;
  return found.state === "login" ? " (you are logged in there)" : "";
}

function builtInDefault(name: string, options: TargetOptions): string | undefined {
  const own = Object.hasOwn(options.providers, name) ? options.providers[name]?.models?.[0]?.id : undefined;
  return own ?? BUILT_IN_PROVIDERS.find((provider) => provider.name === name)?.defaultModel;
}

function noKey(problems: readonly string[], ollama: string, running: boolean, file: string): PiError {
  const reason = problems.length > 0 ? `no usable API key: ${problems.join("; ")}` : "no API key is set";
  const local = running ? `the Ollama at ${ollama} has no model` : `no Ollama answers at ${ollama}`;
  return new PiError({
    code: problems.length > 0 ? "bad_key" : "no_key",
    message: `${reason}, and ${local}`,
    hint:
      `\`pi login\` asks for one. Or set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment, or write it as NAME=key into ${file}` +
      `${running ? ", or run `ollama pull` for a model" : ", or start Ollama"}. \`pi demo\` shows pi at work without any key.`,
    exitCode: 4,
  });
}
