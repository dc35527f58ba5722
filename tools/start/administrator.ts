import { StartFailure } from '../../platform/start-failure.ts';
import { reasonOf } from './steps.ts';

export type Administrator = { email: string; password: string };

/**
 * Returns whether the administrator of a running API has this password. ADMIN_PASSWORD counts at
 * the first start only, so a later one may name another. A rejection for another reason (too many
 * attempts) counts as true. Throws StartFailure with the network error if there is no answer.
 */
export async function passwordWorks(apiUrl: string, administrator: Administrator): Promise<boolean> {
  const { status } = await fetch(`${apiUrl}/api/admin/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(administrator),
  }).catch((error: Error) => {
    throw new StartFailure(`The API at ${apiUrl} did not answer a sign-in: ${reasonOf(error)}.`, { cause: error });
  });
  return status !== 401;
}

/**
 * The password of the administrator: the given one, else the one that the first start made up; null
 * when the first start was given one and this one is not. Throws StartFailure in the last case when
 * the demo catalog needs it.
 */
export function administratorPassword(given: string | null, madeUp: string | null, demo: boolean): string | null {
  const password = given ?? madeUp;
  if (password !== null || !demo) return password;
  throw new StartFailure(
    "The first start was given the administrator's password in ADMIN_PASSWORD, and it is kept nowhere: " +
      'set ADMIN_PASSWORD again, or leave the demo catalogue alone with DEMO=off.',
  );
}

/**
 * The demo catalog is made by signing in, so it cannot continue with another password. Throws
 * StartFailure.
 */
export function requireForDemo(works: boolean, { email }: Administrator): void {
  if (works) return;
  throw new StartFailure(
    `${email} has another password than the one of this start, or does not exist: ADMIN_EMAIL and ADMIN_PASSWORD count at the ` +
      'first start only. Set them to what works, or leave the demo catalogue alone with DEMO=off.',
  );
}
