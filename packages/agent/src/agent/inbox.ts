/** Texts that people add while a run goes on. */

/** Two queues: steering goes into the next request, a follow-up waits for the end of the answer. */
export class Inbox {
  #steering: string[] = [];
  #followUps: string[] = [];

  steer(text: string): void {
    this.#steering.push(text);
  }

  followUp(text: string): void {
    this.#followUps.push(text);
  }

  takeSteering(): string[] {
    const taken = this.#steering;
    this.#steering = [];
    return taken;
  }

  nextFollowUp(): string | undefined {
    return this.#followUps.shift();
  }

  get hasSteering(): boolean {
    return this.#steering.length > 0;
  }

  /** Everything that waits, out of both queues. */
  takeAll(): string[] {
    const followUps = this.#followUps;
    this.#followUps = [];
    return [...this.takeSteering(), ...followUps];
  }
}
