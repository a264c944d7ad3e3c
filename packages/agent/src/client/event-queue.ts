/** Values for one reader, in order, until they end or fail. */
export class EventQueue<T> implements AsyncIterableIterator<T, undefined> {
  #values: T[] = [];
  #waiting: ((result: Promise<IteratorResult<T, undefined>>) => void)[] = [];
  #over: { error?: Error } | undefined;

  push(value: T): void {
    if (this.#over !== undefined) return;
    const reader = this.#waiting.shift();
    if (reader === undefined) this.#values.push(value);
    else reader(Promise.resolve({ value, done: false }));
  }

  /** No more values come; those that are there can still be read, and then `error`, if any, is thrown once. */
  end(error?: Error): void {
    if (this.#over !== undefined) return;
    this.#over = error === undefined ? {} : { error };
    for (const reader of this.#waiting.splice(0)) reader(this.#rest());
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#values.length > 0) return Promise.resolve({ value: this.#values.shift() as T, done: false });
    if (this.#over !== undefined) return this.#rest();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.#values = [];
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #rest(): Promise<IteratorResult<T, undefined>> {
    const error = this.#over?.error;
    if (error === undefined) return Promise.resolve({ value: undefined, done: true });
    this.#over = {};
    return Promise.reject(error);
  }
}
