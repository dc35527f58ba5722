const OFFSET = /^([+-]?)(\d{2}):(\d{2})(?::\d{2})?$/;

/**
 * A time zone we can calculate with: the IANA name as IANA writes it, an offset such as `03:00:00` (live terminals send it) as
 * `+03:00`; null when the text is neither.
 */
export function normalizeTimeZone(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  const offset = OFFSET.exec(trimmed);
  const zone = offset === null ? trimmed : `${offset[1] === '-' ? '-' : '+'}${offset[2]}:${offset[3]}`;
  if (zone === '') return null;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone }).format(0);
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
