/** One step of the layout. A published step never changes: its checksum is kept in every database. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}
