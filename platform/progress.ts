import { AsyncLocalStorage } from 'node:async_hooks';

/** Progress of a long piece of work: numbers, ids and words, without secrets or personal data. */
export type Progress = Readonly<Record<string, string | number>>;

/** The receiver of the progress of one piece of work, and what an earlier attempt has reported. */
export type ProgressPort = {
  report: (progress: Progress) => void;
  earlier: Progress;
  /** Interval of the reports during a call that cannot report by itself; milliseconds. */
  everyMs: number;
};

type Reporting = ProgressPort & { latest: Progress; reportedAt: number };

const current = new AsyncLocalStorage<Reporting>();

/**
 * Runs work that may report its progress to this port, from anywhere within. The only link between
 * the modules and Temporal's heartbeats (decision 102).
 */
export function reportingTo<T>(port: ProgressPort, work: () => Promise<T>): Promise<T> {
  return current.run({ ...port, latest: {}, reportedAt: performance.now() }, work);
}

/**
 * Reports what the present work has done, added to what it reported before. Work that reports
 * nothing for the heartbeat time-out of its activity is ended and tried again (rule OPS-191). Does
 * nothing outside of an activity.
 */
export function reportProgress(news: Progress = {}): void {
  const reporting = current.getStore();
  if (reporting === undefined) return;
  reporting.latest = { ...reporting.latest, ...news };
  reporting.reportedAt = performance.now();
  reporting.report(reporting.latest);
}

/** The last report of an earlier attempt of the present work; empty if there was none. */
export function earlierProgress(): Progress {
  return current.getStore()?.earlier ?? {};
}

/**
 * Repeats the last report while a call runs that has a time-out of its own, such as one request or
 * one statement: a process that dies is noticed, and the call may be slow. Ends after `limitMs`
 * without a new report, so that a call without an end is noticed too.
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
