const MOST_SHOWN = 80;

/** Tag characters as the ASCII characters that they stand for, others as U+FFFD. */
export function tagText(codePoints: readonly number[]): string {
  return String.fromCodePoint(
    ...codePoints.map((point) => (point >= 0xe0020 && point < 0xe007f ? point - 0xe0000 : 0xfffd)),
  );
}

/** The text that tag characters spell (each is an ASCII character moved out of sight); null when they spell none. */
export function tagMessage(codePoints: readonly number[]): string | null {
  return readable(
    codePoints.filter((point) => point >= 0xe0020 && point < 0xe007f).map((point) => point - 0xe0000),
  );
}

/** The text whose bytes are written as variation selectors (VS1 is 0, VS256 is 255); null when it is no readable text. */
export function selectorMessage(codePoints: readonly number[]): string | null {
  return readable(
    codePoints.flatMap((point) => {
      if (point >= 0xfe00 && point <= 0xfe0f) return [point - 0xfe00];
      return point >= 0xe0100 && point <= 0xe01ef ? [point - 0xe0100 + 16] : [];
    }),
  );
}

/** Printable ASCII of more than two characters, quoted and cut. */
function readable(bytes: readonly number[]): string | null {
  if (bytes.length < 3) return null;
  const shown = bytes.slice(0, MOST_SHOWN);
  if (shown.some((byte) => byte < 0x20 && byte !== 10 && byte !== 9) || shown.some((byte) => byte > 0x7e))
    return null;
  const text = JSON.stringify(String.fromCharCode(...shown));
  return bytes.length > MOST_SHOWN ? `${text} (and ${bytes.length - MOST_SHOWN} characters more)` : text;
}
