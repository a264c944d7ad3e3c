export const AGENT: Readonly<Record<string, readonly string[]>>;
