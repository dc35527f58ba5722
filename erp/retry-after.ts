/** Milliseconds a Retry-After field asks to wait: whole seconds or an HTTP date; undefined when absent or unreadable. */
export function retryAfterMs(field: string | undefined, now: number): number | undefined {
  const text = field?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // A date without a zone would be read in the zone of this machine; the header's form always ends with GMT.
  const at = /GMT$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
