/** A value that goes to PostgreSQL; arrays become arrays of the column's type. */
export type PgValue = string | number | boolean | null | Uint8Array | readonly string[] | readonly number[];

export type PgRow = Record<string, unknown>;

/** One connection inside a transaction. */
export interface PgSession {
  /** One statement with `$1` … parameters; gives its rows. */
  query(sql: string, values?: readonly PgValue[]): Promise<PgRow[]>;
  /** One statement that changes rows; gives how many. */
  change(sql: string, values?: readonly PgValue[]): Promise<number>;
  /** Statements without parameters, separated by semicolons. */
  run(sql: string): Promise<void>;
}

/** The little of PostgreSQL that the store needs. */
export interface PgDatabase {
  /** Runs `work` in one transaction on one connection; rolls back when it rejects. `begin` are the statements it begins with. */
  transaction<T>(begin: string, work: (session: PgSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
