/** A start that cannot go on, in one sentence for the person at the terminal. `main` prints it and exits with 1. */
export class StartFailure extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartFailure';
  }
}

/** What to print for anything that stopped a start: the sentence of a known failure, else the stack. */
export function describeStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = error.name === 'StartFailure' || error.name === 'EnvironmentError';
  return known ? error.message : (error.stack ?? error.message);
}

/** Turns the error of a first database connection into a sentence with host and database, never with the password. */
export function databaseFailure(url: string, error: unknown): StartFailure {
  const { host, pathname } = new URL(url);
  const reason = REASONS[reasonOf(error) ?? ''] ?? 'cannot be used';
  return new StartFailure(`The database "${pathname.slice(1)}" at ${host} ${reason}; check DATABASE_URL.`, {
    cause: error,
  });
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'does not answer',
  ENOTFOUND: 'has an unknown host name',
  EAI_AGAIN: 'has a host name that cannot be resolved now',
  ETIMEDOUT: 'does not answer in time',
  '28P01': 'refuses the password',
  '28000': 'refuses the user',
  '3D000': 'does not exist',
  '53300': 'has no free connection',
  '57P03': 'is not ready yet',
};

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errors } = error as { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  return reasonOf(errors?.[0]) ?? reasonOf(error.cause);
}
