/** What extensions import from `pi-agent-core`: its loop is not offered, and says so when it is used. */
export const agentCoreExports = {};
