/**
 * Delay of a Retry-After field in ms, whole seconds or an HTTP date, `longestMs` at most; undefined
 * when the field is absent or unreadable (a negative number is), 0 for a date that has passed.
 */
export function retryAfterMs(field: string | undefined, now: number, longestMs: number): number | undefined {
  const text = field?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(longestMs, Number(text) * 1000);
  // A date without a zone would be read in the zone of this machine; the header's form always ends
  // with GMT.
  const at = /GMT$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.min(longestMs, Math.max(0, at - now));
}
