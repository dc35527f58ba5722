/**
 * Parses Retry-After (seconds or HTTP date) to ms, at most `longestMs`. Undefined if missing or
 * invalid, 0 for a past date.
 */
export function retryAfterMs(
  field: string | undefined,
  now: number,
  longestMs: number,
): number | undefined {
  const text = field?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(longestMs, Number(text) * 1000);
  // Without a zone, Date.parse assumes local time.
  const at = /GMT$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.min(longestMs, Math.max(0, at - now));
}
