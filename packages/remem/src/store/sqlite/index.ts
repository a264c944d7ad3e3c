export { type BackupOptions, backupSqliteStore } from "./backup/backup-store.ts";
export { type KeptCopy, listKeptCopies } from "./backup/list-kept.ts";
export { type RestoreOptions, restoreSqliteStore } from "./backup/restore-store.ts";
export { setAsideStore } from "./backup/set-aside.ts";
export { type ForeignDatabaseOptions, readForeignDatabase } from "./foreign/read-database.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./open-store.ts";
