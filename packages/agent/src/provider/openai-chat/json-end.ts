/** Follows a JSON object that arrives in pieces and knows when it is whole, without parsing it again for each piece. */
export class JsonEnd {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #whole = false;

  push(piece: string): void {
    for (let at = 0; at < piece.length; at += 1) {
      const unit = piece.charCodeAt(at);
      if (this.#escaped) this.#escaped = false;
      else if (this.#inString) {
        if (unit === 0x5c) this.#escaped = true;
        else if (unit === 0x22) this.#inString = false;
      } else if (unit === 0x22) this.#inString = true;
      else if (unit === 0x7b || unit === 0x5b) this.#depth += 1;
      else if (unit === 0x7d || unit === 0x5d) {
        this.#depth -= 1;
        if (this.#depth === 0) this.#whole = true;
      }
    }
  }

  /** True once the object's last bracket has come. */
  get whole(): boolean {
    return this.#whole;
  }
}
