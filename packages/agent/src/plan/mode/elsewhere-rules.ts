import { programName, programsRun } from "../../platform/shell-syntax/programs-run.ts";

/** Words of a program's command line, options left out, that say that it only reads. What does not match may change something. */
const READS: Readonly<Record<string, RegExp>> = {
  ...each(
    "docker podman nerdctl",
    /^(?:ps|images|logs|inspect|version|info|top|stats|history|search|events|diff|port|help|(?:image|container|volume|network|context|node|service|stack|plugin|manifest|buildx|compose) (?:ls|list|ps|inspect|logs|history|config|version))(?: |$)/,
  ),
  kubectl:
    /^(?:get|describe|logs|version|explain|api-resources|api-versions|cluster-info|top|diff|events|help|auth can-i|config (?:view|get-contexts|current-context))(?: |$)/,
  ...each(
    "gh glab",
    /^(?:api|status|search|help|version|auth status|[\w-]+ (?:list|view|diff|checks|status|watch))(?: |$)/,
  ),
};
/** The same for programs that otherwise work on files here, where the sandbox keeps them from writing: what they send away. */
const SENDS: Readonly<Record<string, RegExp>> = {
  ...each(
    "npm pnpm yarn bun",
    /^(?:npm )?(?:publish|unpublish|deprecate|dist-tag (?:add|rm)|owner (?:add|rm)|access)(?: |$)/,
  ),
  cargo: /^(?:publish|yank|owner)(?: |$)/,
  gem: /^(?:push|yank|owner)(?: |$)/,
  twine: /^(?:upload|register)(?: |$)/,
  ...each("poetry uv hatch flit", /^publish(?: |$)/),
  hg: /^push(?: |$)/,
  svn: /^(?:commit|ci|copy|cp|delete|rm|mkdir|import|move|mv|propset)(?: |$)/,
};
const WITH_VALUE = /^(?:-n|--namespace|--context|--cluster|--kubeconfig|-H|--host|-c|-R|--repo)$/;
/** `gh api` reads unless it is told otherwise. */
const API_WRITES = /^(?:-X|--method|-[fF]|--(?:raw-)?field|--input)/;

/** Why a command line may not run in plan mode although its sandbox can write nothing: a program would change something elsewhere. */
export function elsewhereProblem(line: string): string | undefined {
  for (const { command } of programsRun(line).runs) {
    const name = programName(command.words[0]) ?? "";
    const words = command.words.slice(1).map(({ text }) => text);
    const said = words.filter((word) => !word.startsWith("-"));
    if (said.length === 0 || words.includes("--help")) continue;
    const does = said.join(" ");
    const shown = `${name} ${said.slice(0, 2).join(" ")}`;
    if (Object.hasOwn(SENDS, name) && SENDS[name]!.test(does)) return `${shown} changes something elsewhere`;
    if (!Object.hasOwn(READS, name)) continue;
    // An option's value may stand before the command: `kubectl -n shop get pods`.
    const reads = READS[name]!.test(WITH_VALUE.test(words[0]!) ? said.slice(1).join(" ") : does);
    if (!reads || (said.includes("api") && words.some((word) => API_WRITES.test(word))))
      return `${shown} may change something that no sandbox here protects`;
  }
  return undefined;
}

function each(names: string, pattern: RegExp): Record<string, RegExp> {
  return Object.fromEntries(names.split(" ").map((name) => [name, pattern]));
}
