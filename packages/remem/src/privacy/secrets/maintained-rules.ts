import type { Span } from "../span.ts";

/** What a rule of secretlint needs of a text and says about it, as its types describe them. */
interface LintedSource {
  readonly content: string;
  readonly filePath: undefined;
  readonly ext: string;
  readonly contentType: "text";
}

interface LintRule {
  readonly meta: { readonly id: string };
  create(context: object, options: object): { file?(source: LintedSource): void | Promise<void> };
}

/**
 * Rules that we do without: one obeys comments in the text ("secretlint-disable"), which would let a text switch the screen off, and
 * what the others find goes with less around it by our own.
 */
const LEFT_OUT = /-(?:filter-comments|basicauth|database-connection-string)$/;
/** A text without one of these cannot break a rule: a long token with a digit, a key block, a hook's address. */
const WORTH_A_LOOK = /(?=[A-Za-z]{0,64}[\d_-])[A-Za-z0-9_-]{20}|-----BEGIN|_authToken|x-oauth-basic|hooks\./;

type Lint = (text: string) => Promise<Span[]>;
let loaded: Promise<Lint> | undefined;

/**
 * The tokens of the services that the project secretlint keeps rules for. Its rules are loaded at the first text that is worth a look;
 * they are called by us and not by its core, which keeps a record of every run for as long as the process lives. Rejects when they
 * cannot be loaded.
 */
export async function findByMaintainedRules(text: string): Promise<Span[]> {
  if (!WORTH_A_LOOK.test(text)) return [];
  loaded ??= load();
  const lint = await loaded;
  return await lint(text);
}

async function load(): Promise<Lint> {
  const { rules } = (await import("@secretlint/secretlint-rule-preset-recommend")) as unknown as {
    readonly rules: readonly LintRule[];
  };
  let found: Span[] = [];
  const handlers = rules
    .filter(({ meta }) => !LEFT_OUT.test(meta.id))
    .map((rule) => {
      const name = `${/-rule-([a-z0-9-]+)$/.exec(rule.meta.id)?.[1] ?? "secret"}-credential`;
      return rule.create(
        {
          sharedOptions: {},
          createTranslator: () => () => ({}),
          ignore: () => undefined,
          report: ({ range: [start, end] }: { readonly range: readonly [number, number] }) => {
            found.push({ rule: name, category: "secret", start, end });
          },
        },
        {},
      );
    });
  let queue: Promise<unknown> = Promise.resolve();
  const lint: Lint = async (text) => {
    found = [];
    const source: LintedSource = { content: text, filePath: undefined, ext: ".txt", contentType: "text" };
    for (const handler of handlers) await handler.file?.(source);
    return found;
  };
  // One text after the other: the rules report into one list.
  return (text) => {
    const result = queue.then(() => lint(text));
    queue = result.catch(() => undefined);
    return result;
  };
}
