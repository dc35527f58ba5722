import { AsyncLocalStorage } from 'node:async_hooks';

/** No secrets or personal data. */
export type Progress = Readonly<Record<string, string | number>>;

export type ProgressPort = {
  report: (progress: Progress) => void;
  earlier: Progress;
  /** Interval for calls that cannot report, ms. */
  everyMs: number;
};

type Reporting = ProgressPort & { latest: Progress; reportedAt: number };

const current = new AsyncLocalStorage<Reporting>();

/**
 * Runs work that may report progress to this port. The only link from modules to Temporal's
 * heartbeats (decision 102).
 */
export function reportingTo<T>(port: ProgressPort, work: () => Promise<T>): Promise<T> {
  return current.run({ ...port, latest: {}, reportedAt: performance.now() }, work);
}

/**
 * Work without reports within its heartbeat time-out is ended and retried (OPS-191). No effect
 * outside of activities.
 */
export function reportProgress(news: Progress = {}): void {
  const reporting = current.getStore();
  if (reporting === undefined) return;
  reporting.latest = { ...reporting.latest, ...news };
  reporting.reportedAt = performance.now();
  reporting.report(reporting.latest);
}

/** Returns the last report of an earlier attempt. */
export function earlierProgress(): Progress {
  return current.getStore()?.earlier ?? {};
}

/**
 * Repeats the last report during a slow call, for up to `limitMs`. Thus Temporal detects both a
 * dead process and an endless call.
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
