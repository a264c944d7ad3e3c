/**
 * Whether the terminal is dark or light as `COLORFGBG` tells it (`15;0`, `0;default;15`): a guess for the first frame. Undefined
 * where it tells nothing.
 */
export function guessBackground(
  env: Readonly<Record<string, string | undefined>>,
): "dark" | "light" | undefined {
  const background = /;(\d{1,2})$/.exec(env.COLORFGBG ?? "")?.[1];
  if (background === undefined) return undefined;
  const index = Number(background);
  if (index > 15) return undefined;
  return index === 7 || index > 8 ? "light" : "dark";
}
