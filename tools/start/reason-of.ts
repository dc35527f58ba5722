/** What happened, without the dot at its end; of a request without an answer what the network said. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string } };
  const reason = cause?.message === undefined ? message : `${message} (${cause.message})`;
  return reason.replace(/\.$/, '');
}
