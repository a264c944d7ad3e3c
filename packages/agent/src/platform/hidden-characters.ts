/** What Unicode says about characters that are not seen, for whoever shows, judges or removes them. Each is the inside of a `[…]` of a `v` or `u` expression. */

/** Scripts whose spelling needs joiners (U+200C, U+200D) beside their letters and marks. */
export const JOINING_SCRIPTS = [
  ..."Arabic Syriac Mandaic Nko Adlam Mongolian Phags_Pa Manichaean Psalter_Pahlavi Sogdian Chorasmian Hanifi_Rohingya".split(
    " ",
  ),
  ..."Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Newa Tirhuta Grantha".split(
    " ",
  ),
  ..."Khmer Myanmar Balinese Javanese Kaithi Chakma Brahmi".split(" "),
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join("");

/** Format characters that are drawn: Arabic number signs, Kaithi and Egyptian marks. */
export const DRAWN_FORMATS =
  "\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}\\u{13430}-\\u{1343f}";
