import { expect, test } from "bun:test";
import { PiError } from "../../contract/errors.ts";
import type { ModelInfo, ThinkingLevel } from "../../contract/model.ts";
import type { Notice } from "../../contract/settings.ts";
import { nearNames } from "../../platform/near-names.ts";
import { modelCommand } from "./model.ts";
import type { WantedModel } from "./shared/model-words.ts";
import { fakeSettings } from "./test-support/fake-settings.ts";
import { completed, type RunOptions, run } from "./test-support/run-command.ts";

const SONNET = info("anthropic", "claude-sonnet-5-5", {
  cost: { input: 3, output: 15, cacheRead: 0, cacheWrite: 0 },
});
const GPT = info("openai", "gpt-5", { images: false });
const LOCAL = info("ollama", "qwen3:8b", { reasoning: false });

function info(provider: string, id: string, more: Partial<ModelInfo> = {}): ModelInfo {
  return {
    provider,
    id,
    name: id.toUpperCase(),
    wire: "anthropic",
    known: true,
    contextWindow: 200_000,
    maxOutput: 64_000,
    images: true,
    reasoning: true,
    ...more,
  };
}

function world(options: { overriddenBy?: string; notices?: Notice[]; nearest?: ThinkingLevel } = {}) {
  const used: WantedModel[] = [];
  const settings = fakeSettings({}, options.overriddenBy);
  const ports = {
    ...settings,
    near: nearNames,
    model: {
      current: () => ({ model: SONNET, thinking: "medium" as ThinkingLevel, role: "default" }),
      roles: () => [
        { role: "default", model: "anthropic/claude-sonnet-5-5" },
        { role: "smol", model: "openai/gpt-5" },
        { role: "slow", model: null },
      ],
      list: async () => ({
        models: [
          { model: GPT, usable: false },
          { model: SONNET, usable: true },
          { model: LOCAL, usable: true },
        ],
        notices: options.notices ?? [],
      }),
      async use(wanted: WantedModel) {
        used.push(wanted);
        const all = [SONNET, GPT, LOCAL];
        const model = all.find((one) => `${one.provider}/${one.id}`.endsWith(wanted.model ?? "sonnet-5-5"));
        if (wanted.model !== undefined && model === undefined)
          throw new PiError({
            code: "model_unknown",
            message: `unknown model "${wanted.model}"`,
            hint: "Near names: x",
          });
        return {
          model: wanted.role === "smol" ? GPT : (model ?? SONNET),
          thinking: options.nearest ?? wanted.thinking ?? "medium",
          role: wanted.role ?? "default",
          notices: options.notices ?? [],
        };
      },
    },
  };
  return {
    used,
    ports,
    saved: settings.saved,
    send: (argument: string, how?: RunOptions) => run(modelCommand, argument, ports, how),
  };
}

test("/model NAME switches and saves the model as the default role [A-TUI-02]", async () => {
  const { send, used, saved } = world();
  const { said, failed } = await send("gpt-5");
  expect(failed).toBe(false);
  expect(used).toEqual([{ model: "gpt-5" }]);
  expect(saved).toEqual({ "roles.default": "openai/gpt-5" });
  expect(said).toBe(
    "The model is openai/gpt-5, thinking medium from the next request on.\nSaved as roles.default in ~/.pi-go/config.json.",
  );
});

test("a second word is how much the model reasons, and is saved, too", async () => {
  const { send, used, saved } = world();
  const { said } = await send("openai/gpt-5 HIGH");
  expect(used).toEqual([{ model: "openai/gpt-5", thinking: "high" }]);
  expect(saved).toEqual({ "roles.default": "openai/gpt-5", thinking: "high" });
  expect(said).toContain("Saved as roles.default and thinking in ~/.pi-go/config.json.");
});

test("a level alone changes only how much the model reasons", async () => {
  const { send, used, saved } = world();
  await send("low");
  expect(used).toEqual([{ thinking: "low" }]);
  expect(saved).toEqual({ thinking: "low" });
});

test("a role is used and never saved [A-TUI-02]", async () => {
  const { send, used, saved } = world();
  const { said } = await send("smol high");
  expect(used).toEqual([{ role: "smol", thinking: "high" }]);
  expect(saved).toEqual({});
  expect(said).toContain("The model is openai/gpt-5 (the role smol), thinking high");
  expect(said).toContain("A role is not saved as the default");
});

test.each(["gpt-5 --session", "--session gpt-5", "gpt-5 high -s"])(
  "/model %s saves nothing",
  async (argument) => {
    const { send, saved, used } = world();
    expect((await send(argument)).said).toContain("For this session only; nothing was saved.");
    expect(used[0]?.model).toBe("gpt-5");
    expect(saved).toEqual({});
  },
);

test("what wins over the saved model at the next start is said", async () => {
  expect((await world({ overriddenBy: "this project's config file" }).send("gpt-5")).said).toContain(
    "Saved as roles.default in ~/.pi-go/config.json; at the next start this project's config file wins over it.",
  );
});

test("an unknown model is refused with the error's near names, and nothing is saved", async () => {
  const { send, saved } = world();
  await expect(send("gtp-6")).rejects.toThrow('unknown model "gtp-6"');
  expect(saved).toEqual({});
});

test("an unknown level is refused with the near ones before anything changes", async () => {
  const { send, used } = world();
  const { said, failed } = await send("gpt-5 hihg");
  expect({ failed, used }).toEqual({ failed: true, used: [] });
  expect(said).toContain("Did you mean high");
});

test.each(["gpt-5 high now", "--default gpt-5"])("/model %s is refused", async (argument) => {
  const { send, used } = world();
  expect((await send(argument)).failed).toBe(true);
  expect(used).toEqual([]);
});

test("a level that the model cannot do is said", async () => {
  expect((await world().send("qwen3:8b high")).said).toContain(
    'ollama/qwen3:8b does not reason, so "high" has no effect.',
  );
  expect((await world({ nearest: "high" }).send("gpt-5 max")).said).toContain(
    'It does not offer "max"; "high" is the nearest.',
  );
});

test("a model that could not be saved is used, and the failure is told", async () => {
  const { ports } = world();
  ports.settings.save = async () => {
    throw new PiError({
      code: "config_broken",
      message: "line 3 is broken",
      hint: "Correct the file first.",
    });
  };
  const { said, failed } = await run(modelCommand, "gpt-5", ports);
  expect(failed).toBe(true);
  expect(said).toContain("The model is openai/gpt-5");
  expect(said).toContain("It was not saved: line 3 is broken\nCorrect the file first.");
});

test("the list has roles, then models with a key, then the others, and marks the current one", async () => {
  const { send, used, saved } = world({ notices: [{ level: "warning", message: "gemini did not answer" }] });
  const { dialogs } = await send("", { answers: ["gpt-5"] });
  const question = dialogs.choices[0]!;
  expect(question.choices.map((choice) => choice.label)).toEqual([
    "role default (current)",
    "role smol",
    "role slow",
    "anthropic/claude-sonnet-5-5 (current)",
    "ollama/qwen3:8b",
    "openai/gpt-5",
  ]);
  expect(question).toMatchObject({ initial: 3, filter: true });
  expect(question.choices[3]?.description).toBe(
    "CLAUDE-SONNET-5-5 · 200,000 tokens · reasons · images · $3 in, $15 out per million",
  );
  expect(question.choices[5]?.description).toContain("no key");
  expect(question.choices[2]?.description).toBe("not set: the session's model plays it");
  expect(question.detail).toContain("gemini did not answer");
  expect(used).toEqual([{ model: "openai/gpt-5" }]);
  expect(saved).toEqual({ "roles.default": "openai/gpt-5" });
});

test("a role chosen from the list is not saved", async () => {
  const { send, used, saved } = world();
  await send("", { answers: ["role smol"] });
  expect({ used, saved }).toEqual({ used: [{ role: "smol" }], saved: {} });
});

test("/model --session with a choice from the list saves nothing", async () => {
  const { send, saved } = world();
  await send("--session", { answers: ["gpt-5"] });
  expect(saved).toEqual({});
});

test("a dismissed list changes nothing", async () => {
  const { send, used } = world();
  expect((await send("", { answers: [null] })).said).toBe("The model stays as it is.");
  expect(used).toEqual([]);
});

test("Esc while models are listed asks nothing", async () => {
  const { send } = world();
  const controller = new AbortController();
  controller.abort();
  expect((await send("", { controller })).said).toBe("The model stays as it is.");
});

test("/model completes roles, usable models and levels", async () => {
  const { ports } = world();
  expect(await completed(modelCommand, "s", ports)).toEqual(["smol", "slow"]);
  expect(await completed(modelCommand, "o", ports)).toEqual(["ollama/qwen3:8b", "off"]);
});
