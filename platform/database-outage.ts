/** Unavailable, starting, stopping or full servers, and broken networks. */
const CODES = new Set<unknown>(
  '08000 08001 08003 08004 08006 53300 57P01 57P02 57P03 ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND'.split(
    ' ',
  ),
);

/** Errors without a code, from the driver and its pool. */
const WORDS =
  /connection terminated|timeout exceeded when trying to connect|connection error and is not queryable/i;

/** Returns true if the database is unreachable, false for a failed statement. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    CODES.has((error as { code?: unknown }).code) ||
    WORDS.test(error.message) ||
    isDatabaseOutage(error.cause)
  );
}
