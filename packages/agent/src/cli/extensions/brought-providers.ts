import type { Wire } from "../../contract/messages.ts";
import type { ModelSetting, ProviderSetting } from "../../contract/settings.ts";
import type { BroughtService, StreamSimple } from "../../extension/pi/host/brought-client.ts";
import type { BroughtProvider } from "../../extension/pi/host/host-ports.ts";
import { wireOf } from "../../extension/pi/host/pi-model.ts";
import type { ProviderTarget } from "../../provider/registry/provider-target.ts";

/** Stands for the address of a service that only the extension's own code speaks to. */
const NO_ADDRESS = "https://extension.invalid";

interface BroughtParts {
  refuse(message: string): void;
  printedBy(command: string): Promise<string>;
}

interface Brought {
  setting: ProviderSetting;
  /** A line of shell that prints the key; it is run when the key is needed for the first time. */
  command: string | undefined;
  fetching: Promise<void> | undefined;
  /** Where the extension speaks to the service itself. */
  own: { api: string; stream: StreamSimple } | undefined;
}

/** The services that extensions brought (`pi.registerProvider`), as entries of `providers{}`. */
export class BroughtProviders {
  readonly #parts: BroughtParts;
  readonly #all = new Map<string, Brought>();

  constructor(parts: BroughtParts) {
    this.#parts = parts;
  }

  /** Takes a service, or (null) forgets it. One that speaks in a way that we do not is told of and left out. */
  set(name: string, provider: BroughtProvider | null): void {
    const { api, streamSimple } = provider ?? {};
    if (provider === null) {
      this.#all.delete(name);
      return;
    }
    const own =
      typeof streamSimple === "function"
        ? { api: api ?? "extension", stream: streamSimple as StreamSimple }
        : undefined;
    const spoken = api === undefined ? undefined : wireOf(api);
    const wire: Wire | undefined = own === undefined ? spoken : "openai-chat";
    if (api !== undefined && wire === undefined) {
      this.#parts.refuse(
        `the provider "${name}" of an extension speaks ${api}, which pi-ts does not; it is left out`,
      );
      return;
    }
    const { apiKey } = provider;
    const command = apiKey?.startsWith("!") ? apiKey.slice(1).trim() : undefined;
    const baseUrl = provider.baseUrl ?? (own === undefined ? undefined : NO_ADDRESS);
    const setting = settingOf(provider, wire, baseUrl, command === undefined ? apiKey : undefined);
    this.#all.set(name, { setting, command, fetching: undefined, own });
  }

  settings(): Record<string, ProviderSetting> {
    return Object.fromEntries([...this.#all].map(([name, { setting }]) => [name, setting]));
  }

  /** Whether a command prints its key, or its extension may need none. */
  hasKeyOfItsOwn(name: string): boolean {
    const brought = this.#all.get(name);
    return brought?.command !== undefined || brought?.own !== undefined;
  }

  /** Whether its extension speaks to it with code of its own. */
  speaksItself(name: string): boolean {
    return this.#all.get(name)?.own !== undefined;
  }

  /** Has the key there when a command prints it. Rejects with a PiError when that fails; the next time it is tried again. */
  async fetchKey(name: string): Promise<void> {
    const brought = this.#all.get(name);
    if (brought?.command === undefined || brought.setting.apiKey !== undefined) return;
    brought.fetching ??= this.#parts
      .printedBy(brought.command)
      .then((apiKey) => {
        brought.setting = { ...brought.setting, apiKey };
      })
      .finally(() => {
        brought.fetching = undefined;
      });
    await brought.fetching;
  }

  /** The service itself, where its extension speaks to it. */
  service(target: ProviderTarget, apiKey: string | undefined): BroughtService | null {
    const own = this.#all.get(target.name)?.own;
    if (own === undefined) return null;
    const { name, baseUrl, headers } = target;
    const known = { provider: name, baseUrl: baseUrl === NO_ADDRESS ? "" : baseUrl, headers };
    return { ...known, ...own, ...(apiKey === undefined ? {} : { apiKey }) };
  }
}

function settingOf(
  { headers, models = [] }: BroughtProvider,
  wire: Wire | undefined,
  baseUrl: string | undefined,
  apiKey: string | undefined,
): ProviderSetting {
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(wire === undefined ? {} : { wire }),
    // A name of a variable without the $ is how older extensions give it.
    ...(apiKey === undefined ? {} : { apiKey: /^[A-Z][A-Z0-9_]*$/.test(apiKey) ? `$${apiKey}` : apiKey }),
    ...(headers === undefined ? {} : { headers }),
    models: models.flatMap(modelSetting),
  };
}

function modelSetting(model: Readonly<Record<string, unknown>>): ModelSetting[] {
  const { id, name, contextWindow, maxTokens, input, reasoning, cost } = model;
  if (typeof id !== "string") return [];
  const price = cost as Record<string, number> | undefined;
  return [
    {
      id,
      ...(typeof name === "string" ? { name } : {}),
      ...(typeof contextWindow === "number" ? { contextWindow } : {}),
      ...(typeof maxTokens === "number" ? { maxOutput: maxTokens } : {}),
      ...(Array.isArray(input) ? { images: input.includes("image") } : {}),
      ...(typeof reasoning === "boolean" ? { reasoning } : {}),
      ...(price === undefined ? {} : { cost: { input: 0, output: 0, ...price } }),
    },
  ];
}
