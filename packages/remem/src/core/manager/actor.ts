/** Who asks for a change. `interactive`: a person answered at a keyboard just now; programs and models never say so. */
export interface Actor {
  readonly name: string;
  readonly interactive: boolean;
}
