/**
 * The server is unavailable, starting, ending or full, or the network is broken: codes of
 * PostgreSQL and of sockets.
 */
const CODES = new Set<unknown>(
  '08000 08001 08003 08004 08006 53300 57P01 57P02 57P03 ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND'.split(' '),
);
/** Error messages of the driver and its pool without a code. */
const WORDS = /connection terminated|timeout exceeded when trying to connect|connection error and is not queryable/i;

/**
 * True when the error, or what it was caused by, is about a database that cannot be reached, not
 * about a statement.
 */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return CODES.has((error as { code?: unknown }).code) || WORDS.test(error.message) || isDatabaseOutage(error.cause);
}
