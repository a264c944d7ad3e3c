/** A value SQLite can hold. */
export type SqlValue = string | number | null | Uint8Array;

/** A row as an object; columns by name. */
export type SqlRow = Record<string, SqlValue>;

export interface SqlStatement {
  run(...values: SqlValue[]): { readonly changes: number; readonly lastRow: number };
  get(...values: SqlValue[]): SqlRow | undefined;
  all(...values: SqlValue[]): SqlRow[];
}

/** The little of SQLite that the store needs; one connection, synchronous. */
export interface SqlConnection {
  /** Statements without parameters, separated by semicolons. */
  run(sql: string): void;
  /** A statement, compiled once for each text. */
  prepare(sql: string): SqlStatement;
  close(): void;
}

interface NativeStatement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  /** Only of bun:sqlite. */
  finalize?(): void;
}

interface NativeConnection {
  exec(sql: string): unknown;
  prepare(sql: string): NativeStatement;
  close(): void;
}

/** Opens a database file, creating it when it is missing. `node:sqlite` where the runtime has it, else `bun:sqlite`. */
export async function openConnection(path: string): Promise<SqlConnection> {
  return wrap(await openNative(path, false));
}

/** Opens a database file that is only read; it must be there. */
export async function openForReading(path: string): Promise<SqlConnection> {
  return wrap(await openNative(path, true));
}

async function openNative(path: string, readOnly: boolean): Promise<NativeConnection> {
  try {
    const { DatabaseSync } = await import("node:sqlite");
    return new DatabaseSync(path, { readOnly }) as unknown as NativeConnection;
  } catch (error) {
    if (!isMissingModule(error)) throw error;
  }
  const { Database } = await import("bun:sqlite");
  return new Database(path, readOnly ? { readonly: true } : { create: true }) as unknown as NativeConnection;
}

function isMissingModule(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return (
    code === "ERR_UNKNOWN_BUILTIN_MODULE" || code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND"
  );
}

function wrap(native: NativeConnection): SqlConnection {
  const statements = new Map<string, SqlStatement>();
  const natives: NativeStatement[] = [];
  return {
    run: (sql) => {
      native.exec(sql);
    },
    prepare: (sql) => {
      let statement = statements.get(sql);
      if (statement === undefined) {
        const compiled = native.prepare(sql);
        natives.push(compiled);
        statement = {
          run: (...values) => {
            const { changes, lastInsertRowid } = compiled.run(...values);
            return { changes: Number(changes), lastRow: Number(lastInsertRowid) };
          },
          // bun:sqlite answers null where node:sqlite answers undefined.
          get: (...values) => (compiled.get(...values) ?? undefined) as SqlRow | undefined,
          all: (...values) => compiled.all(...values) as SqlRow[],
        };
        statements.set(sql, statement);
      }
      return statement;
    },
    close: () => {
      statements.clear();
      // bun:sqlite keeps a connection open, with its log beside the file, as long as statements of it are not finalized.
      for (const statement of natives.splice(0)) statement.finalize?.();
      native.close();
    },
  };
}
