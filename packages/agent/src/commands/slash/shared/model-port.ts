import type { ModelInfo, ThinkingLevel } from "../../../contract/model.ts";
import type { Notice } from "../../../contract/settings.ts";
import type { WantedModel } from "./model-words.ts";
import type { NearPort } from "./near-port.ts";
import type { SettingsPort } from "./settings-port.ts";

/** What `/model` needs. */
export interface ModelPorts extends SettingsPort, NearPort {
  model: {
    /** The model of this session; null until one is chosen. */
    current(): CurrentModel | null;
    /** Every role that is set or built in, with the model that plays it; null: not set, so the session's model plays it. */
    roles(): readonly { role: string; model: string | null }[];
    /** The models that are known; `usable` ones have a key (or need none). */
    list(signal: AbortSignal): Promise<{ models: readonly ListedModel[]; notices: readonly Notice[] }>;
    /**
     * Goes on with another model from the next request. What is absent stays as it is; `role` and `model` exclude each other.
     * Throws the PiError that a start would meet (no key, an unknown model, with near names); the old one stays then.
     */
    use(wanted: WantedModel, signal: AbortSignal): Promise<UsedModel>;
  };
}

export interface CurrentModel {
  model: ModelInfo;
  thinking: ThinkingLevel;
  role: string;
}

export interface ListedModel {
  model: ModelInfo;
  usable: boolean;
}

export interface UsedModel extends CurrentModel {
  notices: readonly Notice[];
}

/** `provider/model`, as `--model` takes it. */
export function modelName({ provider, id }: Pick<ModelInfo, "provider" | "id">): string {
  return `${provider}/${id}`;
}
