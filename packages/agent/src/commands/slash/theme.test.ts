import { expect, test } from "bun:test";
import { nearNames } from "../../platform/near-names.ts";
import { notifyCommand } from "./notify.ts";
import { fakeSettings } from "./test-support/fake-settings.ts";
import { completed, type RunOptions, run } from "./test-support/run-command.ts";
import { themeCommand } from "./theme.ts";

function world(set?: string, overriddenBy?: string) {
  const previews: (string | null)[] = [];
  const ports = {
    ...fakeSettings(set === undefined ? {} : { theme: set }, overriddenBy),
    near: nearNames,
    themes: {
      list: () => [
        { name: "tokyo-night", title: "Tokyo Night", kind: "dark" as const },
        { name: "paper", title: "Paper", kind: "light" as const },
      ],
      current: () => set ?? "tokyo-night",
      preview: (name: string | null) => void previews.push(name),
    },
  };
  return {
    previews,
    ports,
    saved: ports.saved,
    send: (argument: string, options?: RunOptions) => run(themeCommand, argument, ports, options),
  };
}

test("/theme NAME saves the theme in the user's config and says where [A-TUI-04]", async () => {
  const { send, saved } = world();
  const { said } = await send("Paper");
  expect(saved).toEqual({ theme: "paper" });
  expect(said).toBe('The theme is "paper" now. Saved in ~/.pi-go/config.json.');
});

test("/theme says what wins over the saved theme", async () => {
  const { send } = world(undefined, "this project's config file");
  expect((await send("paper")).said).toContain("at the next start this project's config file wins over it");
});

test("the list previews what is marked, and ends the preview [A-TUI-04]", async () => {
  const { send, previews, saved } = world("tokyo-night");
  const { dialogs } = await send("", { answers: ["Paper"] });
  expect(dialogs.choices[0]?.choices.map((choice) => choice.label)).toEqual([
    "Tokyo Night (current)",
    "Paper",
    "Automatic",
  ]);
  expect(previews).toEqual(["tokyo-night", "paper", null]);
  expect(saved).toEqual({ theme: "paper" });
});

test("a dismissed list ends the preview and saves nothing", async () => {
  const { send, previews, saved } = world();
  expect((await send("", { answers: [null] })).said).toBe("The theme stays as it is.");
  expect(previews.at(-1)).toBeNull();
  expect(saved).toEqual({});
});

test("/theme auto takes the setting out of the config", async () => {
  const { send, saved } = world("paper");
  await send("auto");
  expect(Object.entries(saved)).toEqual([["theme", undefined]]);
});

test("an unknown theme is answered with the near ones", async () => {
  const { send, saved } = world();
  const { said, failed } = await send("papr");
  expect({ failed, saved }).toEqual({ failed: true, saved: {} });
  expect(said).toContain("Did you mean paper?");
});

test("/theme completes the names", async () => {
  expect(await completed(themeCommand, "p", world().ports)).toEqual(["paper"]);
});

test("/notify saves the way and says where", async () => {
  const ports = fakeSettings();
  const { said } = await run(notifyCommand, "Bell", ports);
  expect(ports.saved).toEqual({ notify: "bell" });
  expect(said).toContain('is "bell" now. Saved in ~/.pi-go/config.json.');
});

test("/notify alone lets one choose, the current way marked", async () => {
  const ports = fakeSettings({ notify: "bell" });
  const { dialogs } = await run(notifyCommand, "", ports, { answers: ["desktop"] });
  expect(dialogs.choices[0]).toMatchObject({ initial: 1 });
  expect(ports.saved).toEqual({ notify: "desktop" });
});

test.each([
  ["loud", []],
  ["", [null]],
])("/notify %p saves nothing when it is unknown or dismissed", async (argument, answers) => {
  const ports = fakeSettings();
  await run(notifyCommand, argument, ports, { answers });
  expect(ports.saved).toEqual({});
});
