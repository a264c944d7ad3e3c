import { type WordPattern, withWordEdges } from "../capture/statements/word-edges.ts";
import { analyzeQuery } from "../query/analyze-query.ts";

/** What a prompt asks of memory. */
export type Recognition =
  /** Nothing to look for: no words, or only words that go on with what is before the model already. */
  | { readonly kind: "silent"; readonly terms: readonly string[] }
  /** Asks where the work was left. `topic`: it also names something to look for. */
  | { readonly kind: "continuity"; readonly terms: readonly string[]; readonly topic: boolean }
  | { readonly kind: "topic"; readonly terms: readonly string[] };

/** Whole phrases only: "continue" or "again" alone speak of what is on the screen. */
const CONTINUITY: readonly WordPattern[] = withWordEdges([
  /\bwhere (did|have|had|were) (we|i) (\w+ )?(stop|stopped|leave off|left off|left it|pause|paused|end|get to|at)\b/iu,
  /\bwhat (were|was|did) (we|i) (\w+ )?(do|doing|work|working|work on|working on)\b/iu,
  /\b(pick|picking) up where (we|i)\b|\bfrom where (we|i) (left|stopped)\b|\bcontinue (\w+ )?where (we|i)\b/iu,
  /\b(last|previous) (session|conversation|time we (worked|talked|spoke))\b|\bcatch me up\b|\bwhat('s| is) left to do\b/iu,
  /\bwo (sind|waren|haben) wir (stehen ?geblieben|aufgehört|gewesen)\b|\bwas haben wir (zuletzt|letztes mal|gestern)\b|\b(letzte|vorige)n? (sitzung|gespräch)\b/iu,
  /\boù (en étions|en était|nous (en )?étions|nous sommes-nous arrêtés)\b|\bla (dernière|précédente) (session|fois)\b/iu,
  /\bd[óo]nde (lo )?(dejamos|nos quedamos|quedamos|paramos)\b|\bla (última|sesión anterior|última sesión)\b/iu,
  /\bonde (n[óo]s )?(paramos|ficamos)\b|\b(última|sessão anterior) (sessão|vez)\b/iu,
  /上次.{0,8}(哪|做|进行|到|说)|我们.{0,4}(停在|做到|进行到)|接着上次/u,
  /(前回|この前).{0,10}(どこ|続き|まで|何)|どこまで(やり|進|でき)/u,
]);

/** Words that continuity questions are made of; what is left names a topic. */
const CONTINUITY_WORDS =
  /\b(where|what|did|were|was|we|i|stop(ped)?|left|leave|off|last|time|session|continue|pick(ing)?|up|from|work(ing|ed)?|doing|do|let'?s|please|previous|yesterday|today|on|the|our|and|is|to|go|hi|hello|hey|again|conversation|catch|me|ok|okay)\b/giu;

const TRIVIAL =
  /^(y|yes|yep|yeah|no|nope|ok|okay|k|sure|thanks?|thank you|thx|go( on| ahead)?|continue|next|done|stop|do it|please|great|good|nice|perfect|cool|hi|hello|hey|ja|nein|danke|weiter|oui|non|merci|sí|si|gracias|sim|não|obrigad[oa]|好|好的|谢谢|继续|是|はい|いいえ|ありがとう)$/iu;

/** Reads a prompt: in any language, a prompt of words is a topic; a few languages' ways to ask where the work was left are known. */
export function recognize(prompt: string): Recognition {
  const text = prompt.trim();
  const { terms } = analyzeQuery(text);
  const bare = text.replace(/[\p{P}\p{S}\s]+$/gu, "").replace(/^[\p{P}\p{S}\s]+/gu, "");
  if (terms.length === 0 || TRIVIAL.test(bare)) return { kind: "silent", terms };
  const head = text.slice(0, 2_000);
  if (CONTINUITY.some((pattern) => pattern.test(head))) {
    const rest = analyzeQuery(head.replace(CONTINUITY_WORDS, " ")).terms;
    return { kind: "continuity", terms, topic: rest.length >= 2 };
  }
  return { kind: "topic", terms };
}
