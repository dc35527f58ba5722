/**
 * Reads the ERP's `yyyy-MM-dd HH:mm:ss[.fff]`, which has no zone and means UTC here; null for
 * anything else.
 */
export function readUtc(text: string | null | undefined): Date | null {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)Z?$/.exec(text ?? '');
  if (match === null) return null;
  const at = new Date(`${match[1]}T${match[2]}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/**
 * A wall-clock time of a restaurant as the ERP writes it: `yyyy-MM-dd HH:mm:ss.fff`, without a
 * zone.
 */
export function wireLocal(at: Temporal.PlainDateTime): string {
  return at.toString({ fractionalSecondDigits: 3, calendarName: 'never' }).replace('T', ' ');
}
