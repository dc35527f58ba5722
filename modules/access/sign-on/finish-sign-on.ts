import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { AccessEnv } from '../env.ts';
import { noteSecurityEvent, type SecurityDeps } from '../security-events.ts';
import { openSession, issueTokens, type AccessDeps, type Tokens } from '../session.ts';
import { problemOfProvider, refusedSignOn } from './refused-sign-on.ts';
import { deriveChecks, hashSecret } from './sign-on-secrets.ts';
import { requireProvider, type SignOnDeps } from './start-sign-on.ts';
import { userOfIdentity } from './user-of-identity.ts';

export type FinishDeps = AccessDeps &
  SecurityDeps &
  Pick<SignOnDeps, 'identityProvider' | 'log'> & {
    env: Pick<AccessEnv, 'OIDC_DEFAULT_ROLE' | 'OIDC_EMAIL_DOMAINS'>;
  };

type SignOnAnswer = {
  query: URLSearchParams;
  browserSecret: string | undefined;
  requestId: string;
  userAgent: string | undefined;
};

/**
 * Opens a session. A state is valid once, for ten minutes, in the same browser. It is consumed
 * before the request to the provider. Problems: not-found without a provider, sign-on-refused,
 * unavailable.
 */
export async function finishSignOn(
  deps: FinishDeps,
  request: SignOnAnswer & { address: string },
): Promise<{ tokens: Tokens; returnTo: string }> {
  const { requestId, address } = request;
  return finish(deps, request).catch(async (error: unknown) => {
    if (error instanceof Problem && error.kind === 'sign-on-refused')
      await noteSecurityEvent(deps, { kind: 'SIGN_ON_REFUSED', requestId, address });
    throw error;
  });
}

async function finish(
  deps: FinishDeps,
  request: SignOnAnswer,
): Promise<{ tokens: Tokens; returnTo: string }> {
  const provider = requireProvider(deps);
  const { query, browserSecret = '', requestId, userAgent } = request;
  const state = query.get('state') ?? '';
  const returnTo = await takeSignOn(deps.db, state, browserSecret);
  if (returnTo === null) throw refusedSignOn('STATE_UNKNOWN');

  const identity = await provider
    .identify(query, deriveChecks(browserSecret, state))
    .catch((error: unknown) => {
      throw problemOfProvider(deps.log, requestId, error);
    });

  const { userId, sessionId } = await deps.db.transaction(async (tx) => {
    const user = await userOfIdentity(tx, identity, {
      requestId,
      defaultRole: deps.env.OIDC_DEFAULT_ROLE,
      domains: deps.env.OIDC_EMAIL_DOMAINS,
    });

    const how = { method: 'SSO', issuer: identity.issuer } as const;

    return {
      userId: user,
      sessionId: await openSession(tx, { userId: user, requestId, userAgent, how }),
    };
  });

  return { tokens: await issueTokens(deps.keyring, { sessionId, userId, counter: 0 }), returnTo };
}

/** Deletes the sign-on, so that only one of two callbacks gets it. */
async function takeSignOn(
  { db }: Sql,
  state: string,
  browserSecret: string,
): Promise<string | null> {
  const row = await db
    .deleteFrom('access_sign_on')
    .where('stateDigest', '=', hashSecret(state))
    .where('browserDigest', '=', hashSecret(browserSecret))
    .returning(['returnTo', sql<boolean>`expires_at > now()`.as('isOpen')])
    .executeTakeFirst();

  return row?.isOpen === true ? row.returnTo : null;
}
