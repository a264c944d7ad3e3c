import type { Session } from "../../session/session.ts";

/**
 * A new branch that begins at the end of the current one, or at the record `from`; it is not switched to. Throws PiError `branch_name`,
 * `branch_exists` or `record_missing`, and then there is no new branch.
 */
export function branchFrom(session: Session, name: string, from: string | undefined): void {
  session.createBranch(name);
  if (from !== undefined && from !== session.head) {
    const { branch } = session;
    session.switchBranch(name);
    try {
      session.rewind(from);
    } catch (thrown) {
      session.switchBranch(branch);
      session.deleteBranch(name);
      throw thrown;
    }
    session.switchBranch(branch);
  }
  session.sync();
}
