/** A client that is told to come back next week would look broken to everybody: it asks again before. */
const LONGEST_MS = 10 * 60_000;

/**
 * Milliseconds a Retry-After field asks to wait, whole seconds or an HTTP date, 10 minutes at most; undefined when the field is
 * absent or unreadable (a negative number is), 0 for a date that has passed.
 */
export function retryAfterMs(field: string | undefined, now: number): number | undefined {
  const text = field?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(LONGEST_MS, Number(text) * 1000);
  // A date without a zone would be read in the zone of this machine; the header's form always ends with GMT.
  const at = /GMT$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.min(LONGEST_MS, Math.max(0, at - now));
}
