import { sql } from 'kysely';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { IdentityProvider } from '../../../platform/identity-provider.ts';
import type { Log } from '../../../platform/log.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { problemOfProvider } from './refused-sign-on.ts';
import { deriveChecks, hashSecret, randomSecret } from './sign-on-secrets.ts';

/** Time for signing in at the provider. */
export const SIGN_ON_SECONDS = 600;

export type SignOnDeps = {
  db: Sql;
  log: Log;
  /** Null if no provider is configured. */
  identityProvider: IdentityProvider | null;
  env: { ADMIN_ORIGINS: readonly string[] };
};

export function requireProvider({
  identityProvider,
}: Pick<SignOnDeps, 'identityProvider'>): IdentityProvider {
  if (identityProvider === null)
    throw new Problem('not-found', { detail: 'Single sign-on is not configured' });
  return identityProvider;
}

/**
 * Reuses the secret of the browser, so that two tabs can sign on. `returnTo` must have an origin of
 * ADMIN_ORIGINS; the default is the first origin. Problems: not-found without a provider,
 * validation, unavailable.
 */
export async function startSignOn(
  deps: SignOnDeps,
  request: { returnTo: string | undefined; browserSecret: string | undefined; requestId: string },
): Promise<{ location: string; browserSecret: string }> {
  const provider = requireProvider(deps);
  const { browserSecret, requestId } = request;
  const page = parseReturnPage(request.returnTo, deps.env.ADMIN_ORIGINS);
  const browser =
    browserSecret !== undefined && /^[\w-]{43}$/.test(browserSecret)
      ? browserSecret
      : randomSecret();

  const state = randomSecret();
  const location = await provider
    .authorizationUrl(deriveChecks(browser, state))
    .catch((error: unknown) => {
      throw problemOfProvider(deps.log, requestId, error);
    });

  await deps.db.db
    .insertInto('access_sign_on')
    .values({
      stateDigest: hashSecret(state),
      browserDigest: hashSecret(browser),
      returnTo: page,
      expiresAt: sql<Date>`now() + ${SIGN_ON_SECONDS} * interval '1 second'`,
    })
    .execute();

  return { location: location.href, browserSecret: browser };
}

/** Compares whole origins, because another host can have the same prefix. */
function parseReturnPage(text: string | undefined, origins: readonly string[]): string {
  const [first = ''] = origins;
  const page = URL.parse(text ?? first);
  if (page === null || !origins.includes(page.origin))
    throw invalidField('return_to', 'invalid', 'must be a page of an origin of the admin UI');
  page.username = '';
  page.password = '';

  return page.href;
}
