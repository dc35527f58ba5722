/** Parses `yyyy-MM-dd HH:mm:ss[.fff]` as UTC. Null if invalid. */
export function readUtc(text: string | null | undefined): Date | null {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)Z?$/.exec(text ?? '');
  if (match === null) return null;
  const at = new Date(`${match[1]}T${match[2]}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** Formats a restaurant's local time: `yyyy-MM-dd HH:mm:ss.fff`. */
export function wireLocal(at: Temporal.PlainDateTime): string {
  return at.toString({ fractionalSecondDigits: 3, calendarName: 'never' }).replace('T', ' ');
}
