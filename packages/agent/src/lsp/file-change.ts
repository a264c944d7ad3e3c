/** What happened to a file on the disk, as the protocol numbers it. */
export const FILE_CHANGE = { created: 1, changed: 2, deleted: 3 } as const;
export type FileChange = (typeof FILE_CHANGE)[keyof typeof FILE_CHANGE];
