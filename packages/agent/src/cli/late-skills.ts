import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { projectSkillFolders } from "../config/project.ts";
import type { ExtensionResources } from "../extension/pi/load/extension-entry.ts";
import type { SkillRoot } from "../extension/skills/skill.ts";
import type { SkillLibrary } from "../extension/skills/skill-library.ts";
import type { HomeFolders } from "../platform/home.ts";
import type { Notices } from "./notices.ts";
import type { Settings } from "./run-setup.ts";

export interface LateSkillsOptions {
  settings: Settings;
  home: HomeFolders;
  /** The folder that the file tools work in: a real path. */
  cwd: string;
  notices: Notices;
  /** What packages of extensions bring. */
  resources?: ExtensionResources;
}

/** The skills and prompt templates of a run, loaded when there are any or when somebody asks for them. */
export interface LateSkills {
  /** Null until they are loaded. */
  readonly library: SkillLibrary | null;
  /** Where new skills are made. `project`: null where it has no place of its own. */
  readonly places: { user: SkillRoot; project: SkillRoot | null };
  /** Folders outside of the project that the file tools may read; live, it changes with a reload. */
  readonly readable: readonly string[];
  /** Loads them, once. */
  open(): Promise<SkillLibrary>;
  /** Takes in what extensions bring while they run; what it gives is as for {@link reload}. */
  add(resources: ExtensionResources): Promise<ReturnType<SkillLibrary["reload"]>>;
  /** Looks at all files anew; the text, if any, is to go before the model. */
  reload(): Promise<ReturnType<SkillLibrary["reload"]>>;
}

/** Skills of the user and, when it is trusted, of the project. Loads them at once where there is a folder with any. */
export async function lateSkills(options: LateSkillsOptions): Promise<LateSkills> {
  const roots = rootsOf(options);
  const readable: string[] = [];
  let library: SkillLibrary | null = null;
  const skills: LateSkills = {
    get library() {
      return library;
    },
    places: { user: roots.user, project: roots.project },
    readable,
    async open() {
      library ??= await load(options, roots);
      readable.splice(0, readable.length, ...library.readable(options.cwd));
      return library;
    },
    add(more) {
      roots.skills.unshift(...packaged(more.skills, "SKILL.md"));
      roots.templates.unshift(...packaged(more.prompts));
      return skills.reload();
    },
    async reload() {
      const reloaded = (await skills.open()).reload();
      await skills.open();
      return reloaded;
    },
  };
  if ([...roots.skills, ...roots.templates].some(({ path }) => existsSync(path))) await skills.open();
  return skills;
}

interface Roots {
  skills: SkillRoot[];
  templates: SkillRoot[];
  user: SkillRoot;
  project: SkillRoot | null;
}

function rootsOf({ settings: { project, trusted }, home, resources }: LateSkillsOptions): Roots {
  const users = (path: string): SkillRoot => ({ path, scope: "user", within: null });
  const projects = (path: string): SkillRoot => ({ path, scope: "project", within: project.root });
  const user = users(join(home.root, "skills"));
  const inProject = trusted ? projectSkillFolders(project).map(projects) : [];
  const templates = trusted && project.folder !== null ? [projects(join(project.folder, "prompts"))] : [];
  const isHome = project.folder === null && existsSync(join(project.root, ".pi-go"));
  return {
    // A person's own skill wins over a package's of the same name.
    skills: [
      ...packaged(resources?.skills, "SKILL.md"),
      users(join(home.user, ".agents", "skills")),
      user,
      ...inProject,
    ],
    templates: [...packaged(resources?.prompts), users(join(home.root, "prompts")), ...templates],
    user,
    project: isHome ? null : projects(join(project.root, ".pi-go", "skills")),
  };
}

/** Folders of skills or prompts; where a package names one skill, the folder around it. */
function packaged(paths: readonly string[] = [], mark?: string): SkillRoot[] {
  const folders = paths.map((path) =>
    mark !== undefined && existsSync(join(path, mark)) ? dirname(path) : path,
  );
  return [...new Set(folders)].map((path) => ({ path, scope: "user", within: null }));
}

async function load({ cwd, notices }: LateSkillsOptions, roots: Roots): Promise<SkillLibrary> {
  const { SkillLibrary: Library } = await import("../extension/skills/skill-library.ts");
  const { SLASH_INFOS } = await import("../commands/slash/slash-infos.ts");
  const { textInspector } = await import("./text-inspector.ts");
  const library = new Library({
    skillRoots: roots.skills,
    templateRoots: roots.templates,
    reserved: new Set(SLASH_INFOS.flatMap(({ name, aliases }) => [name, ...aliases])),
    inspect: textInspector(),
    shown: (path) => shownIn(cwd, path),
  });
  const [first, ...more] = library.problems().filter(({ kind }) => kind === "broken");
  if (first !== undefined) {
    const place = first.line === undefined ? first.file : `${first.file}:${first.line}`;
    const rest = more.length === 0 ? "" : ` (and ${more.length} more; /skills lists them)`;
    notices.warn(`a skill or prompt was not loaded: ${place}: ${first.message}${rest}`);
  }
  return library;
}

/** Relative to the project, with `/`; absolute outside of it. */
function shownIn(cwd: string, path: string): string {
  const inside = relative(cwd, path);
  return inside.startsWith("..") ? path : inside.split(sep).join("/");
}
