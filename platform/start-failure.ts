/** `main` prints the sentence and exits with 1. */
export class StartFailure extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartFailure';
  }
}

/** Returns the stack of other errors. */
export function describeStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = error.name === 'StartFailure' || error.name === 'EnvironmentError';
  return known ? error.message : (error.stack ?? error.message);
}

/** Describes a failed first connection without the password. */
export function databaseFailure(url: string, error: unknown, setting: string): StartFailure {
  const { host, pathname } = new URL(url);
  const reason = REASONS[findReason(error) ?? ''] ?? 'cannot be used';

  return new StartFailure(
    `The database "${pathname.slice(1)}" at ${host} ${reason}; check ${setting}.`,
    {
      cause: error,
    },
  );
}

const PLAIN_SERVER = 'The server does not support SSL connections';

const BY_WORDS = [
  PLAIN_SERVER,
  'timeout expired',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
];

const UNVERIFIED = 'shows a certificate that sslmode and sslrootcert do not allow';
const EXPIRED = 'shows a certificate that is not valid at this time';

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'does not answer',
  ENOTFOUND: 'has an unknown host name',
  EAI_AGAIN: 'has a host name that cannot be resolved now',
  ETIMEDOUT: 'does not answer in time',
  '28P01': 'rejects the password',
  '28000': 'rejects the user',
  '3D000': 'does not exist',
  '53300': 'has no free connection',
  '57P03': 'is not ready yet',
  'timeout expired': 'does not answer in time',
  'Connection terminated due to connection timeout': 'does not answer in time',
  'Connection terminated unexpectedly': 'has ended the connection',
  [PLAIN_SERVER]: 'does not encrypt its connections, which sslmode demands',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNVERIFIED,
  SELF_SIGNED_CERT_IN_CHAIN: UNVERIFIED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNVERIFIED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNVERIFIED,
  CERT_SIGNATURE_FAILURE: UNVERIFIED,
  ERR_TLS_CERT_ALTNAME_INVALID: UNVERIFIED,
  CERT_HAS_EXPIRED: EXPIRED,
  CERT_NOT_YET_VALID: EXPIRED,
};

function findReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errors } = error as { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  if (BY_WORDS.includes(error.message)) return error.message;
  return findReason(errors?.[0]) ?? findReason(error.cause);
}
