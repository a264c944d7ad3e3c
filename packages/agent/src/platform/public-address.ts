/** An address fit to be shown: without the password of `user:password@` and without the values of its query, which may be keys. */
export function publicAddress(address: string): string {
  const [, scheme = "", rest = ""] = /^\s*([a-z][a-z0-9+.-]*:\/\/)?([\s\S]*)$/i.exec(address) ?? [];
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const path = end < 0 ? "" : rest.slice(end).replace(/[?#][\s\S]*$/, "?…");
  return `${scheme}${host === authority ? "" : "…@"}${host}${path}`.trimEnd();
}
