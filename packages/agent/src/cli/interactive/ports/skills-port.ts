import type { SkillsPorts, SkillsReport } from "../../../commands/slash/skills.ts";
import { projectTrust } from "../../../config/trust.ts";
import type { UserMessage } from "../../../contract/messages.ts";
import type { LateSkills } from "../../late-skills.ts";
import type { Program } from "../program.ts";
import { homeRelative } from "./settings-port.ts";

export interface SkillsPortParts {
  program: Program;
  /** Puts a message before the model with its next request. */
  addToHistory(message: UserMessage): void;
}

/** The skills of the open conversation. */
export function skillsPort({ program, addToHistory }: SkillsPortParts): SkillsPorts["skills"] {
  const late = (): LateSkills => {
    const skills = program.app?.skills;
    if (skills) return skills;
    throw new Error("the skills are off or not loaded");
  };
  const reload = async () => {
    const { changes, reminder } = await late().reload();
    const canRead = program.app?.options.tools.some(({ name }) => name === "read") === true;
    if (reminder !== undefined && canRead)
      addToHistory({ role: "user", origin: "reminder", parts: [{ type: "text", text: reminder }] });
    return changes;
  };
  return {
    off() {
      if (program.parts.flags.noSkills) return "it was started with --no-skills";
      return program.app === undefined ? "the conversation is not open" : null;
    },
    async list() {
      const library = await late().open();
      const shown = ({ name, description, scope, file }: SkillsReport["prompts"][number]) => ({
        name,
        description,
        scope,
        file: homeRelative(file),
      });
      return {
        skills: library.skills().map((skill) => ({ ...shown(skill), manual: skill.manual })),
        prompts: library.templates().map(shown),
        problems: library.problems().map(({ file, line, message, kind }) => ({
          place: homeRelative(file) + (line === undefined ? "" : `:${line}`),
          message,
          loaded: kind === "clash",
        })),
        untrusted: await isUntrusted(program),
      };
    },
    async show(name) {
      const library = await late().open();
      const skill = library.find(name);
      if (skill !== undefined) {
        const { description, file } = skill;
        return { name: skill.name, description, file: homeRelative(file), body: library.body(skill) };
      }
      const prompt = library.templates().find((each) => each.name === name.toLowerCase());
      return prompt === undefined ? null : { ...prompt, file: homeRelative(prompt.file) };
    },
    places() {
      const { user, project } = late().places;
      return {
        user: homeRelative(user.path),
        project: project === null ? null : homeRelative(project.path),
      };
    },
    async create(where, name, description) {
      const { places } = late();
      const root = where === "project" && places.project !== null ? places.project : places.user;
      const trusted = program.settings?.trusted === true;
      const { createSkill } = await import("../../../extension/skills/create-skill.ts");
      const file = createSkill(root, name, description);
      await reload();
      const used = late().library?.find(name)?.file === file;
      return { file: homeRelative(file), used, trust: root.scope === "project" && trusted };
    },
    reload,
  };
}

/** Something of the project would act, and nothing of it does. */
async function isUntrusted({ parts, settings }: Program): Promise<boolean> {
  if (settings === undefined || settings.trusted) return false;
  const { state } = await projectTrust(settings.project, parts.place.home.trust);
  return state === "unknown" || state === "changed";
}
