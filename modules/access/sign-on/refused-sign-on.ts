import { Problem } from '../../../kernel/problem.ts';
import { loggable, type Log } from '../../../platform/log.ts';

const REASONS = {
  STATE_UNKNOWN:
    'The sign-on was started in another browser, has expired or was already used. Start again',
  PROVIDER_REFUSED: 'The identity provider did not sign you in',
  ANSWER_INVALID: 'The response of the identity provider is invalid',
  EMAIL_UNVERIFIED: 'The identity provider has not verified your e-mail',
  USER_UNKNOWN: 'No user has your e-mail. Ask an administrator for access',
  USER_DISABLED: 'Your access was disabled. Ask an administrator',
  ACCOUNT_TAKEN: 'The user with your e-mail belongs to another account of the identity provider',
} as const;

export function refusedSignOn(reason: keyof typeof REASONS): Problem {
  return new Problem('sign-on-refused', { detail: REASONS[reason], extra: { reason } });
}

/** Converts a provider's failure. The cause is only logged. */
export function problemOfProvider(log: Log, requestId: string, error: unknown): unknown {
  const { name, reason, cause } = error as { name?: string; reason?: string; cause?: unknown };
  if (name !== 'IdentityProviderError') return error;
  log.warn(
    { requestId, reason, error: loggable(cause) },
    'a sign-on failed at the identity provider',
  );

  if (reason === 'refused') return refusedSignOn('PROVIDER_REFUSED');
  if (reason === 'invalid') return refusedSignOn('ANSWER_INVALID');

  return new Problem('unavailable', {
    detail: 'The identity provider does not respond. Sign in with e-mail and password',
  });
}
