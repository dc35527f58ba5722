/** RFC 3339. PostgreSQL rejects larger zone offsets. */
const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)[t\s](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/i;

/** The year has four digits in every zone. */
const [FIRST_MOMENT, LAST_MOMENT] = [
  Date.parse('0001-01-02T00:00:00Z'),
  Date.parse('9999-12-31T00:00:00Z'),
];

/**
 * Returns true if JavaScript and PostgreSQL parse the moment equally: no leap second, no year 0.
 */
export function isMoment(text: string): boolean {
  const [, year, month, day] = MOMENT.exec(text)?.map(Number) ?? [];
  if (day === undefined || day < 1 || day > daysIn(year!, month!)) return false;
  const moment = Date.parse(text);
  return moment >= FIRST_MOMENT && moment < LAST_MOMENT;
}

/** Months from 1. NaN if invalid. */
const daysIn = (year: number, month: number): number => {
  if (month < 1 || month > 12) return Number.NaN;
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
};
