/** Which arms a box character has; 1 light, 2 heavy. Order: left, right, up, down. */
const ARMS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  "─": [1, 1, 0, 0],
  "━": [2, 2, 0, 0],
  "│": [0, 0, 1, 1],
  "┃": [0, 0, 2, 2],
  "┌": [0, 1, 0, 1],
  "┐": [1, 0, 0, 1],
  "└": [0, 1, 1, 0],
  "┘": [1, 0, 1, 0],
  "├": [0, 1, 1, 1],
  "┤": [1, 0, 1, 1],
  "┬": [1, 1, 0, 1],
  "┴": [1, 1, 1, 0],
  "┼": [1, 1, 1, 1],
  "╴": [1, 0, 0, 0],
  "╵": [0, 0, 1, 0],
  "╶": [0, 1, 0, 0],
  "╷": [0, 0, 0, 1],
  "╸": [2, 0, 0, 0],
  "╹": [0, 0, 2, 0],
  "╺": [0, 2, 0, 0],
  "╻": [0, 0, 0, 2],
  "┏": [0, 2, 0, 2],
  "┓": [2, 0, 0, 2],
  "┗": [0, 2, 2, 0],
  "┛": [2, 0, 2, 0],
};

/** Rounded corners: the ends of the curve, as signs towards left or right and up or down. */
const ROUND: Readonly<Record<string, readonly [number, number]>> = {
  "╭": [1, 1],
  "╮": [-1, 1],
  "╯": [-1, -1],
  "╰": [1, -1],
};

/** Filled parts of a cell in eighths: left, top, width, height. */
const BLOCKS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  "█": [0, 0, 8, 8],
  "▀": [0, 0, 8, 4],
  "▌": [0, 0, 4, 8],
  "▐": [4, 0, 4, 8],
  "▔": [0, 0, 8, 1],
  "▕": [7, 0, 1, 8],
  ...Object.fromEntries([..."▁▂▃▄▅▆▇"].map((block, at) => [block, [0, 7 - at, 8, at + 1]])),
  ...Object.fromEntries([..."▏▎▍▋▊▉"].map((block, at) => [block, [0, 0, at + (at < 3 ? 1 : 2), 8]])),
};

const LIGHT = 1.1;
const HEAVY = 2.2;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Whether {@link boxShape} draws it. */
export function isBoxCharacter(character: string): boolean {
  return character in ARMS || character in ROUND || character in BLOCKS;
}

/**
 * SVG of a character that has to touch its neighbours, drawn as a shape that fills its cell exactly, since a font would leave
 * gaps; null for any other.
 */
export function boxShape(character: string, { x, y, width, height }: Box, color: string): string | null {
  const middle = { x: x + width / 2, y: y + height / 2 };
  const block = BLOCKS[character];
  if (block) {
    const [left, top, wide, high] = block;
    const box = { x: x + (left * width) / 8, y: y + (top * height) / 8 };
    return rectangle({ ...box, width: (wide * width) / 8, height: (high * height) / 8 }, color);
  }
  const round = ROUND[character];
  if (round) {
    const ends = { x: middle.x + (round[0] * width) / 2, y: middle.y + (round[1] * height) / 2 };
    const path = `M${number(ends.x)} ${number(middle.y)}Q${number(middle.x)} ${number(middle.y)} ${number(middle.x)} ${number(ends.y)}`;
    return `<path d="${path}" fill="none" stroke="${color}" stroke-width="${LIGHT}"/>`;
  }
  const arms = ARMS[character];
  if (arms === undefined) return null;
  const [left, right, up, down] = arms.map((weight) => (weight === 2 ? HEAVY : weight * LIGHT));
  const thick = Math.max(...arms) === 2 ? HEAVY : LIGHT;
  const shapes: Box[] = [];
  if (left || right) {
    const from = left ? x : middle.x - thick / 2;
    const to = right ? x + width : middle.x + thick / 2;
    const weight = Math.max(left!, right!);
    shapes.push({ x: from, y: middle.y - weight / 2, width: to - from, height: weight });
  }
  if (up || down) {
    const from = up ? y : middle.y - thick / 2;
    const to = down ? y + height : middle.y + thick / 2;
    const weight = Math.max(up!, down!);
    shapes.push({ x: middle.x - weight / 2, y: from, width: weight, height: to - from });
  }
  return shapes.map((shape) => rectangle(shape, color)).join("");
}

/** A filled rectangle as SVG. */
export function rectangle({ x, y, width, height }: Box, color: string): string {
  return `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" fill="${color}"/>`;
}

/** A coordinate as short as it can be written. */
export function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
