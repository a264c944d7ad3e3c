import { randomHex } from "../../../../platform/random.ts";
import { withoutImportCalls } from "./import-calls.ts";

/** An import of a module: what it names, and how. */
export interface ModuleImport {
  readonly name: string;
  /** `import`: its code runs first, and `all` of what it exports is exported in turn. `dynamic` and `require`: when it is asked for. */
  readonly how: "import" | "all" | "dynamic" | "require";
}

/** A module as a function, or why it cannot be one. */
export type CompiledText =
  | {
      readonly text: string;
      readonly imports: readonly ModuleImport[];
      /** The numbers of those whose code runs before its own. */
      readonly order: readonly number[];
    }
  | { readonly refused: string };

/** The bundler's own functions at the top of its output, which `module-helpers.ts` has once for all modules, and what they are made of. */
const KNOWN_HELPERS: ReadonlySet<string> = new Set([
  "__create",
  "__getProtoOf",
  "__defProp",
  "__getOwnPropNames",
  "__getOwnPropDesc",
  "__hasOwnProp",
  "__accessProp",
  "__reExport",
  "__toESMCache_node",
  "__toESMCache_esm",
  "__toESM",
  "__toCommonJS",
  "__moduleCache",
  "__returnValue",
  "__exportSetter",
  "__export",
  "__require",
]);

/** What a module may take of `import.meta`: what `module-meta.ts` gives. */
const META = /^\.(?:url|dirname|dir|filename|file|path|main|resolve|require|env)\b/;

/**
 * Makes one ES module a generator function: its scope, its names and its strictness stay its own. Up to the first `yield` it says what it
 * exports, up to the second it takes its imports, and then its code runs. Nothing is left out of it, and nothing else is read. What cannot
 * be told to act as before is refused.
 */
export async function compileModule(path: string, source: string): Promise<CompiledText> {
  if (source.includes("__pix_")) return { refused: "it uses names of ours" };
  if (/\bprepareStackTrace\b/.test(source)) return { refused: "it looks into its stack" };
  // The bundler says something else of it than the runtime.
  if (/\btypeof\s+(?:exports\b|this\b(?!\s*[.?[]))/.test(source)) return { refused: "it asks what it is" };
  for (const { index } of source.matchAll(/\bimport\.meta\b/g))
    if (!META.test(source.slice(index + "import.meta".length)))
      return { refused: "it does something with import.meta that is not known" };
  const imports: ModuleImport[] = [];
  const mark = `pi-${randomHex(8)}:`;
  const output = await asCommonJs(path, source, (name, kind) => {
    if (kind === "require-resolve") return name;
    const how = HOW[kind];
    if (how === undefined) return null;
    imports.push({ name, how });
    return mark + String(imports.length - 1);
  });
  if ("refused" in output) return output;
  const body = bodyOf(output.text, mark, imports);
  if (body === null) return { refused: "the bundler wrote what is not known" };
  const code = withoutImportCalls(body.text, "__pix_computed(");
  const needsRequire = /\b__require\b/.test(code);
  // In a class everything is strict, as in a module; a directive would not outlive the second pass.
  const text = `(class { static *m(__pix_import, __pix_require, __pix_dynamic, __pix_computed, __pix_meta, __pix_exports, __pix_environment, require, __pix_helpers, module, exports) {
var { __toESM, __reExport, __export } = __pix_helpers;${needsRequire ? "\nvar __require = __pix_meta.require;" : ""}${code}
} }).m`;
  return { text, imports, order: body.order };
}

const HOW: Readonly<Record<string, ModuleImport["how"]>> = {
  "import-statement": "import",
  "dynamic-import": "dynamic",
  "require-call": "require",
};

/** Bun's own rendering of a module as CommonJS, with the imports as `rename` has them (null: it cannot be). */
async function asCommonJs(
  path: string,
  source: string,
  rename: (name: string, kind: string) => string | null,
): Promise<{ text: string } | { refused: string }> {
  let strange: string | undefined;
  try {
    const { outputs } = await Bun.build({
      entrypoints: [path],
      target: "bun",
      format: "cjs",
      ignoreDCEAnnotations: true,
      // What the runtime puts in for the last one hangs on the environment that it runs in.
      define: { "import.meta": "__pix_meta", "process.env.NODE_ENV": "__pix_environment" },
      plugins: [
        {
          name: "pi-compiled-module",
          setup(build) {
            // In a namespace of ours no tsconfig.json and no package.json beside the file says anything: nor do they when it runs.
            build.onResolve({ filter: /.*/ }, ({ path: name, kind }) => {
              if (kind.startsWith("entry-point")) return { path: name, namespace: "pi" };
              const renamed = rename(name, kind);
              if (renamed === null) strange = kind;
              return { path: renamed ?? name, external: true };
            });
            build.onLoad({ filter: /.*/, namespace: "pi" }, () => ({
              contents: source.replace(/^#!.*/, ""),
              loader: /ts$/.test(path) ? "ts" : "js",
            }));
          },
        },
      ],
    });
    if (strange !== undefined) return { refused: `it has a ${strange}` };
    return { text: await outputs[0]!.text() };
  } catch {
    // A top-level await, most often.
    return { refused: "it waits at its top level, or does not compile" };
  }
}

/** A line that takes an import; they come before all other code. */
const TAKE =
  /\s*(?:\/\/[^\n]*\n\s*)*(?:var \w+ = )?(?:__pix_import\(\d+\)|(?:__toESM\w*\()?require\("[^"]*"\)\)?|__reExport\w*\(\w+, (?:__pix_import\(\d+\)|require\("[^"]*"\))(?:, module\.exports)?\));\n/y;

/** The module's own part of the output, with its imports going through us; null when it looks otherwise than it should. */
function bodyOf(
  output: string,
  mark: string,
  imports: ModuleImport[],
): { text: string; order: number[] } | null {
  const head = "(function(exports, require, module, __filename, __dirname) {";
  const from = output.indexOf(head);
  const to = output.lastIndexOf("})");
  if (from < 0 || to < from) return null;
  const inner = output.slice(from + head.length, to);
  const start = inner.search(/^\/\/ pi:/m);
  if (start < 0) return null;
  const helpers = [...inner.slice(0, start).matchAll(/^(?:var|function) (\w+)/gm)].map(([, name]) => name!);
  let body =
    (helpers.every((name) => KNOWN_HELPERS.has(name)) ? "\n" : inner.slice(0, start)) + inner.slice(start);
  const number = `"${mark}(\\d+)"`;
  const replace = (pattern: string, by: string) => {
    body = body.replace(new RegExp(pattern, "gm"), by);
  };
  replace(`\\b__toESM\\w*\\(require\\(${number}\\)(?:, 1)?\\)`, "__pix_import($1)");
  body = body.replace(
    new RegExp(`^(__reExport\\w*\\(\\w+, )require\\(${number}\\), module\\.exports\\);$`, "gm"),
    (_, call: string, index: string) => {
      imports[Number(index)] = { ...imports[Number(index)]!, how: "all" };
      return `${call}__pix_import(${index}));`;
    },
  );
  replace(`\\bimport\\(${number}\\)`, "__pix_dynamic($1)");
  body = body.replace(new RegExp(`\\brequire\\(${number}\\)`, "g"), (_, index: string) =>
    imports[Number(index)]!.how === "require" ? `__pix_require(${index})` : `__pix_import(${index})`,
  );
  if (body.includes(mark)) return null;
  const exported = /^module\.exports = __toCommonJS\w*\((exports_\w+)\);$/m;
  if (exported.test(body)) body = body.replace(exported, "__pix_exports($1);yield;");
  else body = `\nyield;${body}`;
  // Anything else of CommonJS in it, and it was no ES module.
  if (/^module\.exports\b/m.test(body) || /\brequire_\w+ = __commonJS\b/.test(body)) return null;
  const begin = body.indexOf("yield;") + "yield;".length;
  let end = begin;
  for (TAKE.lastIndex = begin; TAKE.test(body); ) end = TAKE.lastIndex;
  const order = numbersOf(body.slice(begin, end));
  if (numbersOf(body).length !== order.length) return null;
  return { text: `${body.slice(0, end)}yield;${body.slice(end)}`, order };
}

function numbersOf(code: string): number[] {
  return [...code.matchAll(/__pix_import\((\d+)\)/g)].map(([, number]) => Number(number));
}
