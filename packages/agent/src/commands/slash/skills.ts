import type { CommandBlock } from "../../contract/command.ts";
import type { SlashCommand, SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import { completeWords, firstWord } from "./shared/complete-words.ts";
import { counted } from "./shared/format.ts";
import { didYouMean, type NearPort } from "./shared/near-port.ts";
import { refused, said, table, text } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

export interface SkillsPorts extends NearPort {
  skills: {
    /** Why this run has no skills; null when it may have some. */
    off(): string | null;
    list(): Promise<SkillsReport>;
    /** The instructions of a skill, or a template's text; null for a name that nobody has. Throws a PiError when they cannot be read. */
    show(name: string): Promise<ShownSkill | null>;
    /** The folders that new skills are made in, fit to be shown; `project` is null where there is none. */
    places(): { user: string; project: string | null };
    /** Makes a skill to be filled in. Throws a PiError for a name that cannot be one or is taken, and for what the disk refuses. */
    create(where: "user" | "project", name: string, description: string): Promise<MadeSkill>;
    /** Looks at all files anew and lets the model know what is different. */
    reload(): Promise<{ added: string[]; changed: string[]; removed: string[] }>;
  };
}

/** Paths are fit to be shown. */
export interface ListedSkill {
  name: string;
  description: string;
  scope: "user" | "project";
  file: string;
  /** The model is not told of it. */
  manual: boolean;
}

export interface SkillsReport {
  skills: readonly ListedSkill[];
  prompts: readonly Omit<ListedSkill, "manual">[];
  /** `place`: a file, with its line where that is known. `loaded`: it is used all the same. */
  problems: readonly { place: string; message: string; loaded: boolean }[];
  /** The project is not trusted, so that skills of it, if there are any, are not used. */
  untrusted: boolean;
}

export interface ShownSkill {
  name: string;
  description: string;
  file: string;
  /** Markdown. */
  body: string;
}

export interface MadeSkill {
  file: string;
  /** It is used in this run. */
  used: boolean;
  /** The project has to be trusted anew. */
  trust: boolean;
}

const FORMS = "/skills, /skills show NAME, /skills create [NAME] or /skills reload.";
const MOST_DESCRIPTION = 160;

/** `/skills [show | create | reload]`: the skills and prompts of this run, and every file that is not one of them and why. */
export const skillsCommand: SlashCommand<SkillsPorts> = {
  ...slashInfo("skills"),
  async complete(argument, { skills }) {
    const [word, rest] = firstWord(argument);
    if (word !== "show" || skills.off() !== null)
      return completeWords(argument, [
        ["list", "all skills and prompts, and what could not be loaded"],
        ["show", "the text of one"],
        ["create", "make one to be filled in"],
        ["reload", "look at the files again"],
      ]);
    const report = await skills.list();
    const names = [...report.skills, ...report.prompts].map(
      ({ name, description }) => [name, description] as const,
    );
    return completeWords(rest, names).map((entry) => ({ ...entry, value: `show ${entry.value}` }));
  },
  async run(argument, context) {
    const { skills } = context.ports;
    const off = skills.off();
    if (off !== null) return refused(`There are no skills in this run: ${off}.`);
    const [word, rest] = firstWord(argument);
    if (word === "" || (word === "list" && rest === "")) return listed(await skills.list(), skills.places());
    if (word === "show" && rest !== "") return show(rest.replace(/^\//, ""), context);
    if (word === "create") return create(rest, context);
    if (word === "reload" && rest === "") return reload(context);
    return refused(`/skills does not know "${argument}".`, FORMS);
  },
};

function listed(report: SkillsReport, places: { user: string; project: string | null }): SlashOutcome {
  const { skills, prompts, problems, untrusted } = report;
  const row = ({ name, description, scope, file }: Omit<ListedSkill, "manual">, note = "") => [
    `/${name}`,
    clip(description) + note,
    `${scope}: ${file}`,
  ];
  const blocks: CommandBlock[] = [];
  if (skills.length + prompts.length === 0) {
    const where = places.project === null ? places.user : `${places.user} or ${places.project}`;
    blocks.push(text(`There are no skills and no prompts yet. /skills create makes one, in ${where}.`));
  }
  if (skills.length > 0)
    blocks.push(
      table(
        ["skill", "", "from"],
        skills.map((skill) => row(skill, skill.manual ? " (only by its name)" : "")),
      ),
    );
  if (prompts.length > 0)
    blocks.push(
      table(
        ["prompt", "", "from"],
        prompts.map((prompt) => row(prompt)),
      ),
    );
  const rows = (loaded: boolean) =>
    problems.filter((problem) => problem.loaded === loaded).map(({ place, message }) => [place, message]);
  if (rows(false).length > 0) blocks.push(table(["not loaded", "why"], rows(false)));
  if (rows(true).length > 0) blocks.push(table(["to know", ""], rows(true)));
  if (untrusted)
    blocks.push(text("Skills of this project, if it has any, are not used until you trust it: /trust."));
  return { blocks };
}

async function show(name: string, { ports }: SlashContext<SkillsPorts>): Promise<SlashOutcome> {
  const found = await ports.skills.show(name);
  if (found !== null)
    return {
      blocks: [
        text(`${found.name}: ${found.description}`),
        text(found.file),
        { kind: "markdown", text: found.body },
      ],
    };
  const report = await ports.skills.list();
  const known = [...report.skills, ...report.prompts].map((entry) => entry.name);
  return refused(
    `There is no skill or prompt "${name}".`,
    didYouMean(ports.near(name, known), "/skills lists all of them."),
  );
}

async function create(
  given: string,
  { ports: { skills }, dialogs, signal }: SlashContext<SkillsPorts>,
): Promise<SlashOutcome> {
  const [word, rest] = firstWord(given);
  const nothing = said("No skill was made.");
  if (rest !== "")
    return refused(`"${given}" cannot be the name of a skill.`, "/skills create release-notes");
  const name = word || (await dialogs.ask({ title: "Name of the skill" }, signal))?.trim();
  if (!name) return nothing;
  const about = await dialogs.ask({ title: `When is ${name} to be used, and what for?` }, signal);
  const description = about?.trim();
  if (!description) return nothing;
  const { user, project } = skills.places();
  const where =
    project === null
      ? "user"
      : await dialogs.choose(
          {
            title: `Where does ${name} belong?`,
            choices: [
              { value: "user", label: "Mine", description: `for all projects, in ${user}` },
              { value: "project", label: "This project's", description: `in ${project}` },
            ] as const,
          },
          signal,
        );
  if (where === null) return nothing;
  const made = await skills.create(where, name, description);
  return said(
    `Made ${made.file}. Write the steps into it; /${name} then sends them, and the model reads them when a task fits.`,
    made.used
      ? "It is listed from now on; after a change of its front matter: /skills reload."
      : "This project is not trusted, so it is not used yet: /trust.",
    ...(made.trust && made.used
      ? ["The project has changed by that: /trust it again before the next start."]
      : []),
  );
}

async function reload({ ports: { skills } }: SlashContext<SkillsPorts>): Promise<SlashOutcome> {
  const { added, changed, removed } = await skills.reload();
  const { skills: now, prompts, problems } = await skills.list();
  const parts = [
    ["new", added],
    ["changed", changed],
    ["gone", removed],
  ] as const;
  const told = parts.flatMap(([word, names]) => (names.length === 0 ? [] : [`${word}: ${names.join(", ")}`]));
  const broken = problems.filter(({ loaded }) => !loaded).length;
  return said(
    `${counted(now.length, "skill")} and ${counted(prompts.length, "prompt")}${told.length === 0 ? "; nothing is different" : ` (${told.join("; ")})`}.`,
    ...(told.length === 0 ? [] : ["The model learns of it with your next message."]),
    ...(broken === 0 ? [] : [`${counted(broken, "file")} could not be loaded: /skills says why.`]),
  );
}

function clip(description: string): string {
  return description.length <= MOST_DESCRIPTION
    ? description
    : `${description.slice(0, MOST_DESCRIPTION - 1)}…`;
}
