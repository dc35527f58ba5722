/**
 * A reason to stop that the person at the terminal can act on: one clear sentence.
 * Entries print only the message and end with exit code 1; every other error keeps its stack.
 */
export class SetupFailure extends Error {
  override readonly name = 'SetupFailure';
}

/** The text an entry shows for any thrown value: the sentence of a {@link SetupFailure}, else the stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof SetupFailure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The `code` of a system error such as EEXIST; judged by shape, because jest's realm has another `Error`. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
