/** What extensions import from `pi-ai`: schemas, and requests through our own clients with the person's keys. */
import { Type } from "typebox";
import { AnswerStream } from "../host/answer-stream.ts";
import { type Asked, type AskOptions, askModel } from "../host/ask-model.ts";
import { toPiModel } from "../host/pi-model.ts";
import type { PiModel } from "../pi-types.ts";
import { moduleHost } from "./module-host.ts";

const LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** A schema of texts of which one must be given; services refuse the alternatives that TypeBox makes of a union. */
function StringEnum(values: readonly string[], options: Record<string, unknown> = {}): unknown {
  return Type.Unsafe({ type: "string", enum: [...values], ...options });
}

function stream(model: PiModel, asked: Asked, options: AskOptions = {}): AnswerStream {
  return askModel(moduleHost().models, model, asked, options);
}

const complete = (model: PiModel, asked: Asked, options?: AskOptions) =>
  stream(model, asked, options).result();

const allModels = () =>
  moduleHost()
    .models.list()
    .map(({ model, baseUrl }) => toPiModel(model, baseUrl));

function supported(model: Partial<PiModel>): readonly string[] {
  return model.reasoning === true ? LEVELS : ["off"];
}

/** The level itself, or the nearest lower one that the model has. */
function clampThinkingLevel(model: Partial<PiModel>, level: string): string {
  return supported(model).includes(level) ? level : "off";
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as { type?: unknown; text?: unknown }[]) : [];
  return parts.flatMap(({ type, text }) => (type === "text" ? [String(text)] : [])).join("\n");
}

export const aiExports = {
  StringEnum,
  complete,
  completeSimple: complete,
  stream,
  streamSimple: stream,
  AssistantMessageEventStream: AnswerStream,
  EventStream: AnswerStream,
  createAssistantMessageEventStream: () => new AnswerStream(),
  clampThinkingLevel,
  getSupportedThinkingLevels: supported,
  contentText,
  getModel: (provider: string, id: string) =>
    allModels().find((model) => model.provider === provider && model.id === id),
  getModels: (provider: string) => allModels().filter((model) => model.provider === provider),
  getProviders: () => [...new Set(allModels().map(({ provider }) => provider))],
  modelsAreEqual: (one?: Partial<PiModel>, other?: Partial<PiModel>) =>
    one !== undefined && one.provider === other?.provider && one.id === other?.id,
  getEnvApiKey: () => undefined,
};
