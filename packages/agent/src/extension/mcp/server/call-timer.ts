/** The time limit of one call: starts anew with each sign of progress, and stands still while a person is asked something. */
export interface CallTimer {
  progress(): void;
  pause(): void;
  resume(): void;
  stop(): void;
}

/** `quietMs` without progress, `mostMs` in all, both without pauses; then `expire` is called once with the limit that was reached. */
export function callTimer(quietMs: number, mostMs: number, expire: (limitMs: number) => void): CallTimer {
  let spent = 0;
  let paused = 0;
  let since = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function arm(): void {
    const left = mostMs - spent;
    const limit = Math.min(quietMs, left);
    since = performance.now();
    timer = setTimeout(() => expire(left <= quietMs ? mostMs : quietMs), limit);
  }

  function disarm(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    spent += performance.now() - since;
  }

  arm();
  return {
    progress() {
      if (timer === undefined) return;
      disarm();
      arm();
    },
    pause() {
      if (paused++ === 0) disarm();
    },
    resume() {
      if (--paused === 0) arm();
    },
    stop() {
      paused++;
      disarm();
    },
  };
}
