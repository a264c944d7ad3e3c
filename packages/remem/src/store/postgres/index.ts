export { backupPostgresStore, restorePostgresStore } from "./backup/postgres-backup.ts";
export { openPostgresStore, type PostgresStoreOptions } from "./open-store.ts";
