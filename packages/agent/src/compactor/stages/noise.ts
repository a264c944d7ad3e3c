import { isErrorLine } from "../error-line.ts";
import { type OutputKind, Pruner, type Stage } from "../stage.ts";

interface Noise {
  one: string;
  many?: string;
  pattern: RegExp;
}

const STEP: readonly [string, string] = ["build step", "build steps"];
const FETCH: readonly [string, string] = ["line on packages", "lines on packages"];

function noise([one, many]: readonly [string, string], ...patterns: RegExp[]): Noise[] {
  return patterns.map((pattern) => ({ one, many, pattern }));
}

/** What builds print for each step that went well. */
const BUILD: readonly Noise[] = noise(
  STEP,
  /^\[\s*\d+%\] (?:Building|Linking|Generating|Built target|Scanning)/,
  /^\[\d+\/\d+\] (?!FAILED)\S/,
  /^Consolidate compiler generated dependencies|^Scanning dependencies of target/,
  /^(?:\S*\/)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ar|ranlib|ld)\s.*(?:\s-[co]\s|\.o\b|\.a\b)/,
  /^\s{0,2}(?:CC|CXX|LD|AR|AS|GEN|HOSTCC|HOSTLD|INSTALL|SYMLINK|CCLD|CP|MKDIR)\s+\S+$/,
  /^make(?:\[\d+\])?: (?:Entering|Leaving) directory|^make(?:\[\d+\])?: Nothing to be done/,
  /^\s*(?:Compiling|Checking|Fresh|Building|Documenting|Dirty|Packaging|Verifying|Running|Doc-tests) \S+/,
  /^\s*(?:Executable|Running) (?:unittests|tests)\/\S+/,
  /^\[INFO\]\s*(?:-{3,}.*|Scanning for projects.*|Building .*|Compiling \d+ .*|Copying \d+ .*|Using .*encoding.*|Changes detected.*|Nothing to compile.*|skip non existing.*|)$/,
  /^> (?:Task|Configure project|Transform) \S*(?: (?:UP-TO-DATE|NO-SOURCE|SKIPPED|FROM-CACHE|NOT REQUIRED))?\s*$/,
  /^(?:\s*asset|\s*modules by path|\s*cacheable modules|\s*runtime modules|\s*\+ \d+ modules|\s*orphan modules)\s/,
  /^(?:transforming|rendering chunks|computing gzip size)[. (]/,
  /^\s*\S+\.(?:js|css|html|svg|png|map|woff2?|mjs)\s+[\d.,]+ (?:B|kB|KB|KiB|MB)(?:\s*[│|].*)?$/,
  /^#\d+ (?:\d+\.\d+\s|sha256:|CACHED|DONE|extracting|transferring|resolve |\[)/,
  /^\s*(?:Sending build context|---> |Removing intermediate container)/,
);

/** What package managers print for each package. */
const PACKAGES: readonly Noise[] = noise(
  FETCH,
  /^npm (?:http|sill|verb|timing|info) /,
  /^(?:Progress: resolved|Packages: \+|\++$|Already up to date)/,
  /^➤ YN00(?:00|13|19|05|07|08): .*(?:Fetch|Resolution|Link|can't be found in the cache|must be built|┌|└|Completed|fetched)/,
  /^(?:info|\[\d\/\d\]) (?:Direct|All|No lockfile|Resolving|Fetching|Linking|Building)/,
  /^(?:Requirement already satisfied|Collecting|Obtaining|Using cached|Downloading|Installing build dependencies|Getting requirements|Preparing metadata|Building wheels?|Created wheel|Stored in directory|Attempting uninstall|Found existing installation|Uninstalling)\b/,
  /^\s+(?:Using cached|Downloading|Found existing|Uninstalling|Successfully uninstalled|Stored in directory|Created wheel|Building wheel|Preparing metadata|Installing build|Getting requirements|Attempting uninstall)\b/,
  /^\s*[━╸╺─ ]{4,}.*(?:[kMG]?B\/s|eta)/,
  /^\s*(?:Downloaded|Downloading|Updating|Locking|Adding|Fetching|Installing|Unpacking|Extracting|Resolving|Prepared|Resolved|Fetched) \S+/,
  /^(?:Get|Hit|Ign):\d+ /,
  /^(?:Selecting previously|Preparing to unpack|Unpacking|Setting up|Processing triggers|\(Reading database|Reading package lists|Building dependency tree|Reading state information|debconf:)/,
  /^go: (?:downloading|extracting|finding|found) /,
  /^\[INFO\] Download(?:ing|ed) from |^Download(?:ing|ed) from |^Download https?:|^Progress \(\d+\):/,
  /^(?:Using|Fetching|Installing) \S+ \d+\.\d+/,
  /^\s+- (?:Installing|Downloading|Locking|Syncing|Extracting archive) /,
  /^(?:remote: )?(?:Counting|Compressing|Receiving|Resolving|Enumerating|Writing|Updating) (?:objects|deltas|files)/,
  /^[0-9a-f]{12}: (?:Pulling fs layer|Waiting|Verifying Checksum|Download complete|Pull complete|Already exists|Extracting|Downloading|Pushed|Layer already exists|Preparing)/,
  /^==> (?:Downloading|Fetching|Pouring|Installing dependencies)|^Already downloaded:/,
);

/** Leaves out what programs say about each step that went well. */
export const noiseStage: Stage = {
  name: "progress",
  lossless: false,
  run(lines, { kinds }) {
    const tables = [
      ...(has(kinds, "build", "test") ? BUILD : []),
      ...(has(kinds, "package", "build", "test") ? PACKAGES : []),
    ];
    if (tables.length === 0) return undefined;
    const pruner = new Pruner(isErrorLine);
    for (const line of lines) {
      const known = tables.find(({ pattern }) => pattern.test(line));
      if (known) pruner.drop(line, known.one, known.many);
      else pruner.keep(line);
    }
    return pruner.result();
  },
};

/** How many lines look like a build or a package manager at work. */
export function countNoise(lines: readonly string[]): { build: number; package: number } {
  const counts = { build: 0, package: 0 };
  for (const line of lines) {
    if (BUILD.some(({ pattern }) => pattern.test(line))) counts.build++;
    else if (PACKAGES.some(({ pattern }) => pattern.test(line))) counts.package++;
  }
  return counts;
}

function has(kinds: ReadonlySet<OutputKind>, ...wanted: OutputKind[]): boolean {
  return wanted.some((kind) => kinds.has(kind));
}
