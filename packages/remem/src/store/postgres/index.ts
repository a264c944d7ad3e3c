export { openPostgresStore, type PostgresStoreOptions } from "./open-store.ts";
