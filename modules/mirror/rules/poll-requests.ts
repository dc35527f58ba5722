import { POLL_JOBS, type PollJob } from './jobs.ts';

/** Characters of a name in the audit, and of a reason. */
const LIMITS = { by: 100, reason: 500 } as const;

/*
 * Requests of operators in Temporal are unvalidated payloads. Each function returns the sentence of
 * a refusal, or null.
 */

/** Of a request that names a job. */
export function refusedJob(request: unknown): string | null {
  const { job } = Object(request) as { job?: unknown };
  return POLL_JOBS.includes(job as PollJob) ? null : `job: Must be one of ${POLL_JOBS.join(', ')}.`;
}

/** Of a pause: a job, a name and a reason, and a moment in the future if it has one. */
export function refusedPause(request: unknown, now: number): string | null {
  const { until } = Object(request) as { until?: unknown };
  const ends = until === undefined ? null : typeof until === 'string' ? Date.parse(until) : NaN;
  return (
    refusedJob(request) ??
    refusedText(request, 'by') ??
    refusedText(request, 'reason') ??
    (ends !== null && Number.isNaN(ends) ? 'until: Must be a moment, as 2026-12-01T12:00:00Z.' : null) ??
    (ends !== null && ends <= now ? 'until: Must be in the future.' : null)
  );
}

/** Of the end of a pause: a job and a name. */
export const refusedResume = (request: unknown): string | null => refusedJob(request) ?? refusedText(request, 'by');

/** Of the acceptance of a held-back import: its run, a name and a reason. */
export function refusedAccept(request: unknown): string | null {
  const { runId } = Object(request) as { runId?: unknown };
  if (!Number.isSafeInteger(runId) || (runId as number) < 1) return 'runId: Must be the id of a run.';
  return refusedText(request, 'by') ?? refusedText(request, 'reason');
}

function refusedText(request: unknown, field: keyof typeof LIMITS): string | null {
  const { [field]: text } = Object(request) as Record<string, unknown>;
  if (typeof text !== 'string' || text.trim() === '') return `${field}: Must not be empty.`;
  return Array.from(text.trim()).length > LIMITS[field] ? `${field}: At most ${LIMITS[field]} characters.` : null;
}
