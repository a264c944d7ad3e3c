/** The conversation that is open now. */
export interface SessionStand {
  id: string;
  /** Messages on the current branch. */
  messages: number;
  /** False when nothing of it is saved (`--no-session`, a disk that refuses). */
  onDisk: boolean;
}
