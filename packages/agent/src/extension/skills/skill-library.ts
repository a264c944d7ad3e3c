import { sep } from "node:path";
import type { SlashCommandInfo } from "../../contract/slash-command.ts";
import { realFolder } from "../../platform/real-folder.ts";
import { expandTemplate } from "./expand-arguments.ts";
import { loadSkills } from "./load-skills.ts";
import { loadTemplates } from "./load-templates.ts";
import type { InspectText, PromptTemplate, Skill, SkillProblem, SkillRoot } from "./skill.ts";
import { skillIndex, skillLines } from "./skill-index.ts";
import { skillBody, skillPrompt } from "./skill-prompt.ts";

/** What a library is made from. Roots are in the order in which they win: the last one most. */
export interface SkillLibraryOptions {
  skillRoots: readonly SkillRoot[];
  templateRoots: readonly SkillRoot[];
  /** Names of commands that a skill or template cannot take, in lower case. */
  reserved: ReadonlySet<string>;
  /** Looks through each file before anything of it is used. Default: everything passes. */
  inspect?: InspectText;
  /** A path as the model and people read it. */
  shown(path: string): string;
}

/** Names of skills that the model did not know of, that say something else now, and that are gone. */
export interface SkillChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

/** The skills and prompt templates of a run: loaded once, and again when they are asked to. */
export class SkillLibrary {
  readonly #options: SkillLibraryOptions;
  readonly #inspect: InspectText;
  #skills: readonly Skill[] = [];
  #templates: readonly PromptTemplate[] = [];
  #problems: readonly SkillProblem[] = [];
  #commands: readonly SlashCommandInfo[] = [];
  /** What the model knows of. */
  #told: readonly Skill[] = [];

  constructor(options: SkillLibraryOptions) {
    this.#options = options;
    this.#inspect = options.inspect ?? (() => ({}));
    this.#load();
  }

  skills(): readonly Skill[] {
    return this.#skills;
  }

  templates(): readonly PromptTemplate[] {
    return this.#templates;
  }

  problems(): readonly SkillProblem[] {
    return this.#problems;
  }

  /** Skills and templates that can be typed as `/name`. */
  commands(): readonly SlashCommandInfo[] {
    return this.#commands;
  }

  /** The folders outside of `project` (a real path) that have to be readable so that the model can read every skill: few, real paths. */
  readable(project: string): string[] {
    const roots = this.#options.skillRoots.map(({ path }) => realFolder(path));
    const outside = this.#skills.map(({ folder }) => folder).filter((folder) => !isInside(folder, project));
    return [...new Set(outside.map((folder) => roots.find((root) => isInside(folder, root)) ?? folder))];
  }

  find(name: string): Skill | undefined {
    const wanted = name.toLowerCase();
    return this.#skills.find((skill) => skill.name.toLowerCase() === wanted);
  }

  /** The part of the system text that tells the model of skills; empty without any. Later changes come by {@link reload}. */
  instruction(): string {
    this.#told = this.#skills;
    return skillIndex(this.#told, (skill) => this.#options.shown(skill.file));
  }

  /** The instructions of a skill as they are now. Throws PiError `skill_broken`. */
  body(skill: Skill): string {
    return skillBody(skill, this.#inspect);
  }

  /**
   * The prompt that `/name argument` stands for; undefined when no skill or template can be called by that name. Throws PiError
   * `skill_broken`.
   */
  prompt(name: string, argument: string): string | undefined {
    const wanted = name.toLowerCase();
    if (this.#options.reserved.has(wanted)) return undefined;
    const skill = this.find(wanted);
    if (skill !== undefined) return skillPrompt(skill, this.body(skill), argument.trim());
    const template = this.#templates.find((each) => each.name === wanted);
    return template === undefined ? undefined : expandTemplate(template.body, argument.trim());
  }

  /** Looks at all files anew. `reminder` tells the model what is different from what it knows; undefined when nothing is. */
  reload(): { changes: SkillChanges; reminder?: string } {
    const before = this.#told;
    this.#load();
    const known = new Map(before.map((skill) => [skill.name.toLowerCase(), skill]));
    const added = this.#skills.filter(({ name }) => !known.has(name.toLowerCase()));
    const changed = this.#skills.filter((skill) => {
      const old = known.get(skill.name.toLowerCase());
      return old !== undefined && !isSame(old, skill);
    });
    const removed = before.filter(({ name }) => this.find(name) === undefined);
    this.#told = this.#skills;
    const reminder = this.#reminder([...added, ...changed], removed);
    return {
      changes: { added: namesOf(added), changed: namesOf(changed), removed: namesOf(removed) },
      ...(reminder === undefined ? {} : { reminder }),
    };
  }

  #reminder(now: readonly Skill[], gone: readonly Skill[]): string | undefined {
    const told = now.filter(({ manual }) => !manual);
    const hidden = [...gone, ...now.filter(({ manual }) => manual)];
    if (told.length + hidden.length === 0) return undefined;
    const lines = skillLines(told, (skill) => this.#options.shown(skill.file));
    return [
      "<skills>",
      ...(told.length > 0
        ? [
            "Since they were listed these skills are new or have changed. When a task fits a description, read that skill's file before you begin and follow it.",
            lines,
          ]
        : []),
      ...(hidden.length > 0 ? [`These are not to be used any more: ${namesOf(hidden).join(", ")}`] : []),
      "</skills>",
    ].join("\n");
  }

  #load(): void {
    const { skillRoots, templateRoots, reserved } = this.#options;
    const { skills, problems } = loadSkills(skillRoots, this.#inspect);
    const templates = loadTemplates(templateRoots, this.#inspect);
    this.#skills = skills;
    this.#templates = templates.templates;
    const clashes: SkillProblem[] = [];
    const commands: SlashCommandInfo[] = [];
    const taken = new Map<string, string>([...reserved].map((name) => [name, "the built-in command"]));
    for (const entry of [...skills, ...templates.templates]) {
      const name = entry.name.toLowerCase();
      const owner = taken.get(name);
      const isSkill = !("body" in entry);
      if (owner === undefined) {
        taken.set(name, `the skill ${entry.name}`);
        commands.push(commandOf(entry, name));
      } else
        clashes.push({
          file: entry.file,
          kind: "clash",
          message: `/${name} is ${owner}${isSkill ? "; the model can still use this skill" : ", so that this template cannot be called"}`,
        });
    }
    this.#commands = commands;
    this.#problems = [...problems, ...templates.problems, ...clashes];
  }
}

function commandOf(
  { description, argumentHint, ...entry }: Skill | PromptTemplate,
  name: string,
): SlashCommandInfo {
  const kind = "body" in entry ? "prompt" : "skill";
  return {
    name,
    aliases: [],
    summary: `${description.replace(/[.\s]+$/, "")} (${kind})`,
    argumentHint: argumentHint === "" && kind === "skill" ? "[what for]" : argumentHint,
    group: "project",
    during: "any",
    completes: false,
  };
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isSame(a: Skill, b: Skill): boolean {
  return a.file === b.file && a.description === b.description && a.manual === b.manual;
}

function namesOf(skills: readonly Skill[]): string[] {
  return skills.map(({ name }) => name);
}
