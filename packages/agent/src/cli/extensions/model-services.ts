import type { ModelInfo } from "../../contract/model.ts";
import { broughtClient } from "../../extension/pi/host/brought-client.ts";
import type { BroughtProvider, OpenModel } from "../../extension/pi/host/host-ports.ts";
import { knownModels } from "../../provider/registry/list-models.ts";
import { withSetting } from "../../provider/registry/model-setting.ts";
import { unknownModel } from "../../provider/registry/model-table.ts";
import { isUsable, lookForKey } from "../../provider/registry/provider-key.ts";
import { type ProviderTarget, providerTarget } from "../../provider/registry/provider-target.ts";
import { type ResolvedModel, type ResolveOptions, resolveModel } from "../../provider/registry/resolve.ts";
import { loadWire } from "../../provider/registry/wires.ts";
import { BroughtProviders } from "./brought-providers.ts";

export interface ModelServicesParts {
  options: ResolveOptions;
  /** Tells why a provider cannot be had. */
  refuse(message: string): void;
  /** Runs a line of shell that prints a key, and gives what it printed. Rejects with a PiError when it fails. */
  printedBy(command: string): Promise<string>;
}

/** The services of the program's registry and those that extensions bring, as one. */
export class ModelServices {
  readonly #options: ResolveOptions;
  readonly #brought: BroughtProviders;

  constructor(parts: ModelServicesParts) {
    this.#options = parts.options;
    this.#brought = new BroughtProviders(parts);
  }

  /** Takes a service of an extension's, or (null) forgets it. */
  provide(name: string, provider: BroughtProvider | null): void {
    this.#brought.set(name, provider);
  }

  /** What models are resolved with. */
  get options(): ResolveOptions {
    const providers = { ...this.#options.providers, ...this.#brought.settings() };
    return { ...this.#options, providers };
  }

  /** A service; null when there is none, or when its entry in the configuration cannot be used. */
  target(provider: string): ProviderTarget | null {
    try {
      return providerTarget(provider, { ...this.options, url: null }) ?? null;
    } catch {
      // It has been told of when the settings were read.
      return null;
    }
  }

  /** Its key, without running anything. */
  keyOf(target: ProviderTarget): string | undefined {
    const key = lookForKey(target, this.#options);
    return key.state === "ok" ? key.key.value : undefined;
  }

  /** Its key; a command that prints it is run. Rejects with a PiError when that fails. */
  async key(provider: string): Promise<string | undefined> {
    await this.#brought.fetchKey(provider);
    const target = this.target(provider);
    return target === null ? undefined : this.keyOf(target);
  }

  /** Whether a command prints its key, or its extension may need none. */
  hasKeyOfItsOwn(provider: string): boolean {
    return this.#brought.hasKeyOfItsOwn(provider);
  }

  /** Whether only its extension's own code speaks to a service. */
  speaksItself(provider: string): boolean {
    return this.#brought.speaksItself(provider);
  }

  /**
   * Listed models less those that extensions name too, and the extensions' own with whether they can be used. Their services are not asked
   * for more.
   */
  beside(listed: readonly ModelInfo[]): {
    others: ModelInfo[];
    brought: { model: ModelInfo; usable: boolean }[];
  } {
    const brought = this.#models();
    const own = new Set(brought.map(({ model }) => `${model.provider}/${model.id}`));
    return { others: listed.filter(({ provider, id }) => !own.has(`${provider}/${id}`)), brought };
  }

  #models(): { model: ModelInfo; usable: boolean }[] {
    return Object.keys(this.#brought.settings()).flatMap((name) => {
      const target = this.target(name);
      if (target === null) return [];
      const key = lookForKey(target, this.#options);
      const usable = isUsable(target, key) || this.hasKeyOfItsOwn(name);
      return this.modelsOf(target).map((model) => ({ model, usable }));
    });
  }

  /** The models that are known of a service. */
  modelsOf(target: ProviderTarget): ModelInfo[] {
    const own = target.models.map((setting) =>
      withSetting(unknownModel(target.name, setting.id, target.wire), setting),
    );
    const ids = new Set(own.map(({ id }) => id));
    return [...own, ...knownModels(target.name, target.wire).filter(({ id }) => !ids.has(id))];
  }

  /** The way to a model, for another process too; null where only the extension's own code speaks to its service. Rejects with a PiError that says what is missing. */
  async way(provider: string, id: string): Promise<ResolvedModel | null> {
    await this.#brought.fetchKey(provider);
    if (this.speaksItself(provider)) return null;
    return await resolveModel({ ...this.options, request: `${provider}/${id}`, role: null });
  }

  /** Opens a model. Rejects with a PiError that says what is missing. */
  async open(provider: string, id: string): Promise<OpenModel> {
    await this.#brought.fetchKey(provider);
    const target = this.target(provider);
    const service = target === null ? null : this.#brought.service(target, this.keyOf(target));
    const listed = target === null ? undefined : this.modelsOf(target).find((model) => model.id === id);
    if (service !== null && listed !== undefined)
      return { model: listed, client: broughtClient(service), secret: service.apiKey ?? null };
    const resolved = await resolveModel({ ...this.options, request: `${provider}/${id}`, role: null });
    const wire = await loadWire(resolved.settings.wire);
    return {
      model: resolved.model,
      client: wire.open(resolved.settings),
      secret: resolved.key?.value ?? null,
    };
  }
}
