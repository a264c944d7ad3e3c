/**
 * What a text shows besides its words, as bits: found once when a memory is written, weighed when it is ranked. The words
 * are English plus the most common of a few other languages; a text without them is only ranked by its words.
 */
export const CUE = {
  /** Ends with a question. */
  asks: 1,
  /** Speaks of a point in time. */
  time: 2,
  /** Has a number. */
  number: 4,
  /** Has a name inside a sentence, or something quoted. */
  name: 8,
  /** Its author speaks of themselves. */
  self: 16,
  /** Is so short that it hardly says anything by itself. */
  short: 32,
} as const;

const SHORT_TEXT = 60;
const ASKS = /[?？؟]["'”’)\s]*$/u;
const TIME =
  /\b(yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|recently|since|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|morning|gestern|heute|morgen|woche|monat|jahr|hier|demain|semaine|mois|ayer|mañana|semana|mes|año|ontem|hoje|amanhã|ano)\b|\b\d{4}\b|\d{1,2}:\d{2}|вчера|сегодня|завтра|недел|昨日|今日|明日|昨天|今天|明天|[年月]/iu;
const NUMBER =
  /\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|once|twice|couple|few|several|zwei|drei|deux|trois|dos|tres)\b/iu;
const NAME = /[\p{Ll},] \p{Lu}\p{Ll}+|["“«「`]/u;
const SELF =
  /\b(I|my|we|our|me|I'm|I've|ich|wir|mein|unser|je|nous|mon|yo|nosotros|mi|eu|nós)\b|[我私]|(?:^|\s)(я|мы)(?:\s|$)/u;

/** The cues of a text. */
export function textCues(text: string): number {
  return (
    (ASKS.test(text) ? CUE.asks : 0) |
    (TIME.test(text) ? CUE.time : 0) |
    (NUMBER.test(text) ? CUE.number : 0) |
    (NAME.test(text) ? CUE.name : 0) |
    (SELF.test(text) ? CUE.self : 0) |
    (text.length < SHORT_TEXT ? CUE.short : 0)
  );
}
