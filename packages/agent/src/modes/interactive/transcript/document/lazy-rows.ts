/** What a lazy array asks for. `row` gives undefined outside of the length. */
interface RowSource {
  length(): number;
  row(index: number): string | undefined;
}

const INDEX = /^(?:0|[1-9]\d*)$/;

/** An array whose elements are made when they are read; to be read only. */
export function lazyRows(source: RowSource): readonly string[] {
  return new Proxy<string[]>([], {
    get(target, key, receiver) {
      if (key === "length") return source.length();
      if (typeof key === "string" && INDEX.test(key)) return source.row(Number(key));
      return Reflect.get(target, key, receiver);
    },
    has(target, key) {
      if (typeof key === "string" && INDEX.test(key)) return Number(key) < source.length();
      return Reflect.has(target, key);
    },
    set: () => false,
  });
}
