import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type Configuration,
  type IDToken,
} from 'openid-client';
import type { IdentityProviderEnv } from './env/identity-provider.ts';

/** `subject` is unique and constant within `issuer`. */
export type Identity = {
  issuer: string;
  subject: string;
  /** Null if missing or unverified. */
  verifiedEmail: string | null;
  fullName: string | null;
};

/** Secrets of one sign-on in one browser. */
export type SignOnChecks = { state: string; nonce: string; codeVerifier: string };

export type IdentityProvider = {
  /** Throws IdentityProviderError `unavailable`. */
  authorizationUrl(checks: SignOnChecks): Promise<URL>;
  /** Exchanges the code, and verifies the ID token. Throws IdentityProviderError. */
  identify(query: URLSearchParams, checks: SignOnChecks): Promise<Identity>;
};

/** `unavailable`: no answer. `refused`: sign-on rejected. `invalid`: the answer proves nothing. */
class IdentityProviderError extends Error {
  readonly reason: 'unavailable' | 'refused' | 'invalid';
  constructor(reason: IdentityProviderError['reason'], cause: unknown) {
    super(`The identity provider: ${reason}`, { cause });
    this.name = 'IdentityProviderError';
    this.reason = reason;
  }
}

const TIMEOUT_SECONDS = 5;
/** Lifetime of metadata. When an unknown key signs, the library reads the keys again. */
const DISCOVERY_MS = 3_600_000;

/**
 * Null if not configured. Connects at the first sign-on. Caches metadata for an hour, failures
 * never. Plain HTTP only for an issuer with an http URL.
 */
export function createIdentityProvider(env: IdentityProviderEnv): IdentityProvider | null {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: secret,
    OIDC_REDIRECT_URL,
  } = env;
  if (issuer === null || clientId === null || secret === null || OIDC_REDIRECT_URL === null)
    return null;

  let known: { at: number; configuration: Promise<Configuration> } | undefined;

  async function configuration(): Promise<Configuration> {
    if (known === undefined || Date.now() - known.at > DISCOVERY_MS) {
      const config = discover(new URL(issuer!), clientId!, secret!);
      known = { at: Date.now(), configuration: config };
    }

    const current = known;

    try {
      return await current.configuration;
    } catch (error) {
      if (known === current) known = undefined;
      throw new IdentityProviderError('unavailable', error);
    }
  }

  return {
    async authorizationUrl({ state, nonce, codeVerifier }) {
      return buildAuthorizationUrl(await configuration(), {
        redirect_uri: OIDC_REDIRECT_URL,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
    },
    async identify(query, checks) {
      const config = await configuration();
      // The configured URL, never that of the request.
      const answer = new URL(OIDC_REDIRECT_URL);
      answer.search = query.toString();

      try {
        return await exchange(config, answer, checks);
      } catch (error) {
        throw new IdentityProviderError(classifyError(error), error);
      }
    },
  };
}

async function discover(issuer: URL, clientId: string, secret: string): Promise<Configuration> {
  const config = await discovery(issuer, clientId, undefined, ClientSecretBasic(secret), {
    timeout: TIMEOUT_SECONDS,
    execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
  });
  // Without it, signatures of ID tokens are not verified.
  enableNonRepudiationChecks(config);

  return config;
}

async function exchange(
  config: Configuration,
  answer: URL,
  checks: SignOnChecks,
): Promise<Identity> {
  const tokens = await authorizationCodeGrant(config, answer, {
    pkceCodeVerifier: checks.codeVerifier,
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    idTokenExpected: true,
  });

  const claims = tokens.claims() as IDToken;
  // Many providers have the e-mail only there.
  const isComplete =
    claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined;
  const about = isComplete
    ? claims
    : { ...(await fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
  if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub))
    throw new Error('The subject is not 1 to 255 ASCII characters');
  const email = about['email_verified'] === true ? toText(about['email'], 254) : null;

  return {
    issuer: claims.iss,
    subject: claims.sub,
    verifiedEmail: email !== null && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? email : null,
    fullName: toText(about['name'], 200),
  };
}

/** Returns null for texts that cannot be stored. */
function toText(claim: unknown, maxLength: number): string | null {
  if (typeof claim !== 'string' || claim.includes('\0') || !claim.isWellFormed()) return null;
  const text = claim.trim();
  return text !== '' && text.length <= maxLength ? text : null;
}

type Cause = { code?: string; name?: string; status?: number; cause?: Cause } | undefined;

/** Test realms copy classes. */
function classifyError(error: unknown): IdentityProviderError['reason'] {
  if ((error as Cause)?.code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return 'refused';
  for (let cause = error as Cause; cause != null; cause = cause.cause) {
    if (cause.name === 'TimeoutError' || (cause.name === 'TypeError' && cause.code === undefined))
      return 'unavailable';
    if (cause.status !== undefined && cause.status >= 500) return 'unavailable';
  }

  return 'invalid';
}
