import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { Problem } from '../../../kernel/problem.ts';
import type { AccessEnv } from '../env.ts';
import { loggable, type Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { createPhoneClaims, type PhoneClaims } from './phone-claims.ts';

type Customer = {
  /** Digest of the provider and its subject, because the subject may be an e-mail or phone. */
  id: string;
  /** For example +79990001122. Null unless verified. */
  verifiedPhone: string | null;
  name: string | null;
  /** Includes the clock tolerance. */
  expiresAt: Date;
};

export type CustomerTokens = {
  /** Returns the customer of a token, or null. Problem `unavailable`. */
  customerOf: (token: string) => Promise<Customer | null>;
};

const TIMEOUT_MS = 5_000;
/** Applies to all unknown key ids together. */
const KEY_COOLDOWN_MS = 30_000;
const CLOCK_TOLERANCE_SECONDS = 30;

/** Errors that mean an invalid token. Other errors are failures of the provider. */
const PROVES_NOTHING = new Set([
  'ERR_JOSE_ALG_NOT_ALLOWED',
  'ERR_JOSE_NOT_SUPPORTED',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWS_INVALID',
  'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  'ERR_JWT_CLAIM_VALIDATION_FAILED',
  'ERR_JWT_EXPIRED',
  'ERR_JWT_INVALID',
]);

/**
 * Returns null if no provider is configured (rule CLI-1). Requests the provider's keys for the
 * first token, and for unknown keys at most once per `cooldownMs`.
 */
export function createCustomerTokens(
  {
    CUSTOMER_ISSUER: issuer,
    CUSTOMER_AUDIENCE: audience,
  }: Pick<AccessEnv, 'CUSTOMER_ISSUER' | 'CUSTOMER_AUDIENCE'>,
  { log, metrics }: { log: Log; metrics: Pick<Metrics, 'customerPhonesDropped'> },
  cooldownMs = KEY_COOLDOWN_MS,
): CustomerTokens | null {
  if (issuer === null || audience === null) return null;
  const readPhone = createPhoneClaims({ log, metrics });
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const keysOfProvider = (): Promise<JWTVerifyGetKey> => {
    keys ??= discoverKeys(issuer, cooldownMs).catch((error: unknown) => {
      keys = undefined;
      throw error;
    });

    return keys;
  };

  return {
    async customerOf(token) {
      try {
        const { payload } = await jwtVerify(
          token,
          async (...args) => (await keysOfProvider())(...args),
          {
            algorithms: ['RS256', 'ES256', 'EdDSA'],
            issuer,
            audience,
            requiredClaims: ['sub', 'exp'],
            clockTolerance: CLOCK_TOLERANCE_SECONDS,
          },
        );

        return customerOfClaims(issuer, payload, readPhone);
      } catch (error) {
        if (PROVES_NOTHING.has((error as { code?: string }).code ?? '')) return null;
        log.warn(
          { error: loggable(error) },
          'the keys of the provider of customers cannot be read',
        );

        throw new Problem('unavailable', {
          detail: 'The provider that customers sign in with does not answer.',
        });
      }
    },
  };
}

async function discoverKeys(issuer: string, cooldownDuration: number): Promise<JWTVerifyGetKey> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (!response.ok) throw new Error(`The provider answered ${response.status} to ${url}`);
  const configuration = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (configuration.issuer !== issuer || typeof configuration.jwks_uri !== 'string')
    throw new Error(`${url} does not describe the issuer ${issuer}`);

  return createRemoteJWKSet(new URL(configuration.jwks_uri), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration,
  });
}

function customerOfClaims(
  issuer: string,
  claims: JWTPayload,
  phoneOf: PhoneClaims,
): Customer | null {
  const { sub = '', exp = 0, name } = claims;
  if (sub === '') return null;
  const id = createHash('sha256').update(`${issuer}\n${sub}`).digest('base64url').slice(0, 22);
  const expiresAt = new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1_000);

  return {
    id,
    verifiedPhone: phoneOf(claims),
    name: typeof name === 'string' ? name : null,
    expiresAt,
  };
}

export type GuestIdentities = {
  customerOf: (token: string) => Promise<Customer | null>;
  /** True if the cart exists and the caller may use it. Anyone may use a guest cart. */
  mayUseCart: (cartId: string, customerId: string | null) => Promise<boolean>;
  /** Same for an order. */
  mayUseOrder: (
    orderId: string,
    customerId: string | null,
    verifiedPhone: string | null,
  ) => Promise<boolean>;
};

/** Rejects all tokens if no provider is configured. */
export const guestIdentities = (
  tokens: CustomerTokens | null,
  mayUse: Pick<GuestIdentities, 'mayUseCart' | 'mayUseOrder'>,
): GuestIdentities => ({
  customerOf: async (token) => (await tokens?.customerOf(token)) ?? null,
  ...mayUse,
});
