export { type ImportOptions, type ImportReport, importItems } from "./import-items.ts";
export { readJsonLines, writeJsonLines } from "./json-lines.ts";
export { storeSource } from "./store-source.ts";
