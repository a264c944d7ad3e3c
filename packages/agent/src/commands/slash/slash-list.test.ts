import { expect, test } from "bun:test";
import { SLASH_INFOS } from "./slash-infos.ts";
import { loadSlashCommand } from "./slash-list.ts";

const SEED =
  "help clear model session context branch compact commit agents history plan run login skills theme rtk ping restart exit quit".split(
    " ",
  );
const OURS = "resume tree rewind export copy mcp memory trust doctor keys notify".split(" ");

test("every command of the seed and of ours is in the list [A-TUI-02]", () => {
  const names = SLASH_INFOS.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(names).toEqual(expect.arrayContaining([...SEED, ...OURS]));
  expect(new Set(names).size).toBe(names.length);
});

test.each(SLASH_INFOS.map((info) => [info.name, info] as const))(
  "the list says of /%s what the command itself says",
  async (name, info) => {
    const command = (await loadSlashCommand(name))!;
    expect({
      name: command.name,
      aliases: command.aliases,
      summary: command.summary,
      argumentHint: command.argumentHint,
      group: command.group,
      during: command.during,
      completes: command.complete !== undefined,
    }).toEqual(info);
    expect(info.summary).not.toEndWith(".");
  },
);

test("an alias, in either case, loads its command; an unknown name loads none", async () => {
  expect((await loadSlashCommand("QUIT"))?.name).toBe("exit");
  expect(await loadSlashCommand("constructor")).toBeNull();
});

test("the list is there without loading a command", async () => {
  const script = `await import("./slash-list.ts"); await import("./slash-infos.ts");
    console.log(Object.keys(require.cache).filter((path) => path.includes("/commands/")).map((path) => path.split("/").at(-1)).sort().join(" "));`;
  const child = Bun.spawnSync([process.execPath, "-e", script], { cwd: import.meta.dir });
  expect(child.stdout.toString().trim()).toBe("slash-infos.ts slash-list.ts");
});
