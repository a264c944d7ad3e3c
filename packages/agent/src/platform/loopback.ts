/** True for a host that is this machine: `localhost` and names under it, 127.0.0.0/8, ::1 (with or without brackets). */
export function isLoopback(hostname: string): boolean {
  const host = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    /^127(\.\d{1,3}){3}$/.test(host) ||
    /^(::1|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})$/.test(host)
  );
}
