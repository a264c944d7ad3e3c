import { expect, test } from "bun:test";
import { PiError } from "../../contract/errors.ts";
import { type SkillsPorts, type SkillsReport, skillsCommand } from "./skills.ts";
import { completed, run } from "./test-support/run-command.ts";

const REPORT: SkillsReport = {
  skills: [
    {
      name: "release",
      description: "make a release",
      scope: "project",
      file: ".pi-go/skills/release/SKILL.md",
      manual: false,
    },
    {
      name: "tidy",
      description: "tidy up",
      scope: "user",
      file: "~/.pi-go/skills/tidy.SKILL.md",
      manual: true,
    },
  ],
  prompts: [{ name: "fix", description: "mend an issue", scope: "user", file: "~/.pi-go/prompts/fix.md" }],
  problems: [
    { place: ".pi-go/skills/x/SKILL.md:3", message: "it has no description", loaded: false },
    { place: "~/.pi-go/prompts/help.md", message: "/help is the built-in command", loaded: true },
  ],
  untrusted: false,
};

function ports(more: Partial<SkillsPorts["skills"]> = {}, report: Partial<SkillsReport> = {}) {
  const made: unknown[][] = [];
  const skills: SkillsPorts["skills"] = {
    off: () => null,
    list: async () => ({ ...REPORT, ...report }),
    show: async (name) =>
      name === "release"
        ? { name, description: "make a release", file: "f/SKILL.md", body: "# Steps\n\n1. tag" }
        : null,
    places: () => ({ user: "~/.pi-go/skills", project: "~/p/.pi-go/skills" }),
    create: async (...words) => {
      made.push(words);
      return { file: "~/.pi-go/skills/x/SKILL.md", used: true, trust: words[0] === "project" };
    },
    reload: async () => ({ added: ["a"], changed: [], removed: ["b", "c"] }),
    ...more,
  };
  const near = (name: string, known: Iterable<string>) => [...known].filter((each) => each[0] === name[0]);
  return { made, skills, near };
}

test("/skills lists skills and prompts with their files, and what could not be loaded with its line [A-EXT-02][X08]", async () => {
  const { said, failed } = await run(skillsCommand, "", ports());
  expect(failed).toBe(false);
  expect(said.split("\n")).toEqual([
    "skill |  | from",
    "/release | make a release | project: .pi-go/skills/release/SKILL.md",
    "/tidy | tidy up (only by its name) | user: ~/.pi-go/skills/tidy.SKILL.md",
    "prompt |  | from",
    "/fix | mend an issue | user: ~/.pi-go/prompts/fix.md",
    "not loaded | why",
    ".pi-go/skills/x/SKILL.md:3 | it has no description",
    "to know | ",
    "~/.pi-go/prompts/help.md | /help is the built-in command",
  ]);
});

test("/skills without any says how to make one, and that a project has to be trusted first", async () => {
  const none = { skills: [], prompts: [], problems: [], untrusted: true };
  const { said } = await run(skillsCommand, "", ports({}, none));
  expect(said).toBe(
    "There are no skills and no prompts yet. /skills create makes one, in ~/.pi-go/skills or ~/p/.pi-go/skills.\nSkills of this project, if it has any, are not used until you trust it: /trust.",
  );
});

test("/skills show gives a skill's text as Markdown", async () => {
  const { blocks } = await run(skillsCommand, "show /release", ports());
  expect(blocks.at(-1)).toEqual({ kind: "markdown", text: "# Steps\n\n1. tag" });
});

test("/skills show of an unknown name names near ones", async () => {
  const { said, failed } = await run(skillsCommand, "show relaese", ports());
  expect(failed).toBe(true);
  expect(said).toBe('There is no skill or prompt "relaese".\nDid you mean release?');
});

test("/skills create asks what for and where, makes the file, and says that the project has changed", async () => {
  const all = ports();
  const { said } = await run(skillsCommand, "create deploy", all, {
    answers: ["when we ship", "This project's"],
  });
  expect(all.made).toEqual([["project", "deploy", "when we ship"]]);
  expect(said).toContain("Made ~/.pi-go/skills/x/SKILL.md.");
  expect(said).toContain("/trust it again");
});

test("/skills create without a project asks for a name and nothing more than it needs", async () => {
  const all = ports({ places: () => ({ user: "~/.pi-go/skills", project: null }) });
  await run(skillsCommand, "create", all, { answers: ["deploy", "when we ship"] });
  expect(all.made).toEqual([["user", "deploy", "when we ship"]]);
});

test.each([[[null]], [["deploy", null]], [["deploy", "x", null]]])(
  "Esc at any question makes nothing: %j",
  async (answers) => {
    const all = ports();
    const { said } = await run(skillsCommand, "create", all, { answers });
    expect(said).toBe("No skill was made.");
    expect(all.made).toEqual([]);
  },
);

test("a name that is taken is told by the error of the one who makes it", async () => {
  const create = async () => {
    throw new PiError({ code: "skill_exists", message: "f is there already" });
  };
  const running = run(skillsCommand, "create a", ports({ create }), { answers: ["x", "Mine"] });
  await expect(running).rejects.toThrow("f is there already");
});

test("/skills reload says what is different and what is broken", async () => {
  const { said } = await run(skillsCommand, "reload", ports());
  expect(said.split("\n")).toEqual([
    "2 skills and 1 prompt (new: a; gone: b, c).",
    "The model learns of it with your next message.",
    "1 file could not be loaded: /skills says why.",
  ]);
});

test("with --no-skills every form says so", async () => {
  const off = ports({ off: () => "it was started with --no-skills" });
  const { said, failed } = await run(skillsCommand, "reload", off);
  expect(failed).toBe(true);
  expect(said).toBe("There are no skills in this run: it was started with --no-skills.");
});

test("words and names are completed", async () => {
  expect(await completed(skillsCommand, "re", ports())).toEqual(["reload"]);
  expect(await completed(skillsCommand, "show ", ports())).toEqual(["show release", "show tidy", "show fix"]);
  expect(await completed(skillsCommand, "show f", ports())).toEqual(["show fix"]);
});

test("what it does not know is refused with its forms", async () => {
  const { said, failed } = await run(skillsCommand, "delete x", ports());
  expect(failed).toBe(true);
  expect(said).toContain('/skills does not know "delete x".\n/skills, /skills show NAME');
});
