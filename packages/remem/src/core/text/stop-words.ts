/** English words that say nothing about what a text is about. Other languages need no list: the rarity of a word weighs it. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be been being but by can could did do does doing done for from had has have having he her hers
  him his how i if in into is it its itself just like may me might my of on or our she should so some such than that
  the their them then there these they this those to too was we were what when where which while who whom whose why
  will with would you your yours about after again also am any because before both between during each few more most
  no nor not now off once only other out over same s t up very d ll m re ve don didn doesn isn wasn aren won`.split(
    /\s+/,
  ),
);
