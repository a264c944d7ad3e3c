/** At the end so long for the host's last events: they come a moment after what they tell of. */
export const LAST_EVENTS_MS = 300;
/** Then so long to store what is left: 1.5 seconds together. The host waits without a limit of its own. */
export const CLOSE_MS = 1_200;
/** So long a request waits for what belongs before its prompt when an earlier one of the same turn has waited already. */
export const LATE_RECALL_MS = 50;
/** So long a model waits for one of memory's tools. */
export const TOOL_MS = 5_000;

/** What a model reads when a tool took longer. */
export const UNAVAILABLE = "Memory did not answer in time. Go on without it.";

/** A line for whoever writes a summary. No memory is in it. */
export const COMPACTION_GUIDANCE =
  "Recalled memories are kept elsewhere and come back by themselves: do not retell them. Keep names of files, ids and decisions of this conversation word for word.";
