import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { Problem } from '../../../kernel/problem.ts';
import type { AccessEnv } from '../env.ts';
import { loggable, type Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { createPhoneClaims, type PhoneClaims } from './phone-claims.ts';

type Customer = {
  /** Digest of provider and subject, which may be an e-mail or phone. */
  id: string;
  /** Like +79990001122; null unless verified. */
  verifiedPhone: string | null;
  name: string | null;
  /** With the tolerance of clocks. */
  expiresAt: Date;
};

export type CustomerTokens = {
  /** Returns the customer of a token, or null. Problem `unavailable`. */
  customerOf: (token: string) => Promise<Customer | null>;
};

const TIMEOUT_MS = 5_000;
/** Independent of the key ids in tokens. */
const KEY_COOLDOWN_MS = 30_000;
const CLOCK_TOLERANCE_SECONDS = 30;

/** Invalid tokens. Other errors are failures of the provider. */
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
 * Null without a provider (rule CLI-1). Requests keys with the first token, and for an unknown key
 * at most once in `cooldownMs`.
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
  const phoneOf = createPhoneClaims({ log, metrics });
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
          async (...given) => (await keysOfProvider())(...given),
          {
            algorithms: ['RS256', 'ES256', 'EdDSA'],
            issuer,
            audience,
            requiredClaims: ['sub', 'exp'],
            clockTolerance: CLOCK_TOLERANCE_SECONDS,
          },
        );
        return customerOfClaims(issuer, payload, phoneOf);
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
  const found = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (found.issuer !== issuer || typeof found.jwks_uri !== 'string')
    throw new Error(`${url} does not describe the issuer ${issuer}`);
  return createRemoteJWKSet(new URL(found.jwks_uri), {
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
  /** True if the cart exists and the caller may use it. Guest carts are open to all. */
  mayUseCart: (cartId: string, customerId: string | null) => Promise<boolean>;
  /** Same for an order. */
  mayUseOrder: (
    orderId: string,
    customerId: string | null,
    verifiedPhone: string | null,
  ) => Promise<boolean>;
};

/** Rejects all tokens without a provider. */
export const guestIdentities = (
  tokens: CustomerTokens | null,
  mayUse: Pick<GuestIdentities, 'mayUseCart' | 'mayUseOrder'>,
): GuestIdentities => ({
  customerOf: async (token) => (await tokens?.customerOf(token)) ?? null,
  ...mayUse,
});
