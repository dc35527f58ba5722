import { AsyncLocalStorage } from 'node:async_hooks';

/** Progress of long work: numbers, ids and words, no secrets or personal data. */
export type Progress = Readonly<Record<string, string | number>>;

export type ProgressPort = {
  report: (progress: Progress) => void;
  earlier: Progress;
  /** Interval of reports during a call that cannot report itself, ms. */
  everyMs: number;
};

type Reporting = ProgressPort & { latest: Progress; reportedAt: number };

const current = new AsyncLocalStorage<Reporting>();

/**
 * Runs work whose code may report progress to this port. The only link between modules and
 * Temporal's heartbeats (decision 102).
 */
export function reportingTo<T>(port: ProgressPort, work: () => Promise<T>): Promise<T> {
  return current.run({ ...port, latest: {}, reportedAt: performance.now() }, work);
}

/**
 * Adds to the progress of the current work. Work without a report within its heartbeat time-out is
 * ended and retried (OPS-191). No effect outside of an activity.
 */
export function reportProgress(news: Progress = {}): void {
  const reporting = current.getStore();
  if (reporting === undefined) return;
  reporting.latest = { ...reporting.latest, ...news };
  reporting.reportedAt = performance.now();
  reporting.report(reporting.latest);
}

/** Returns the last report of an earlier attempt, or an empty object. */
export function earlierProgress(): Progress {
  return current.getStore()?.earlier ?? {};
}

/**
 * Repeats the last report during a call with its own time-out, such as a request or a statement:
 * the death of the process is detected although the call is slow. Stops after `limitMs`, so that an
 * endless call is detected too.
 */
export async function repeatingProgress<T>(limitMs: number, call: () => Promise<T>): Promise<T> {
  const reporting = current.getStore();
  if (reporting === undefined) return call();
  const beganAt = performance.now();
  const repeat = setInterval(() => {
    const since = Math.max(beganAt, reporting.reportedAt);
    if (performance.now() - since <= limitMs) reporting.report(reporting.latest);
  }, reporting.everyMs);
  try {
    return await call();
  } finally {
    clearInterval(repeat);
  }
}
