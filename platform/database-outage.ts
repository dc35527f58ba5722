/**
 * Codes of PostgreSQL and sockets: the server is unavailable, starting, stopping or full, or the
 * network is broken.
 */
const CODES = new Set<unknown>(
  '08000 08001 08003 08004 08006 53300 57P01 57P02 57P03 ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND'.split(
    ' ',
  ),
);
/** Messages of the driver and its pool that have no code. */
const WORDS =
  /connection terminated|timeout exceeded when trying to connect|connection error and is not queryable/i;

/** Returns true if the error or its cause is an unreachable database, not a failed statement. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    CODES.has((error as { code?: unknown }).code) ||
    WORDS.test(error.message) ||
    isDatabaseOutage(error.cause)
  );
}
