/** A theme without colours, for texts that are made where nothing is drawn. */
const plain = (text: unknown) => String(text);
const role = (_role: unknown, text: unknown) => String(text);

export const PLAIN_THEME = {
  name: "plain",
  fg: role,
  bg: role,
  style: plain,
  bold: plain,
  italic: plain,
  underline: plain,
  strikethrough: plain,
  inverse: plain,
  getFgAnsi: () => "",
  getBgAnsi: () => "",
  getColorMode: () => "256color",
  getThinkingBorderColor: () => plain,
  getBashModeBorderColor: () => plain,
  colors: {},
  appearance: "dark",
} as const;
