export { openSqliteStore, type SqliteStoreOptions } from "./open-store.ts";
