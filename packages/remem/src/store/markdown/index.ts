export { type MarkdownStoreOptions, openMarkdownStore } from "./open-store.ts";
