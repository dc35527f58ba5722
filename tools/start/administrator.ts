import { StartFailure } from '../../platform/start-failure.ts';
import { reasonOf } from './steps.ts';

export type Administrator = { email: string; password: string };

/**
 * ADMIN_PASSWORD only applies at the first start. Rejections for other reasons count as true.
 * Throws StartFailure without an answer.
 */
export async function passwordWorks(
  apiUrl: string,
  administrator: Administrator,
): Promise<boolean> {
  const { status } = await fetch(`${apiUrl}/api/admin/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(administrator),
  }).catch((error: Error) => {
    throw new StartFailure(`The API at ${apiUrl} did not answer a sign-in: ${reasonOf(error)}.`, {
      cause: error,
    });
  });
  return status !== 401;
}

/**
 * Returns the configured password, else the generated one of the first start, else null. Throws
 * StartFailure instead of null for the demo.
 */
export function administratorPassword(
  given: string | null,
  madeUp: string | null,
  demo: boolean,
): string | null {
  const password = given ?? madeUp;
  if (password !== null || !demo) return password;
  throw new StartFailure(
    "The first start was given the administrator's password in ADMIN_PASSWORD, and it is kept nowhere: " +
      'set ADMIN_PASSWORD again, or skip the demo catalog with DEMO=off.',
  );
}

/** Throws StartFailure if the password does not work: the demo signs in. */
export function requireForDemo(works: boolean, { email }: Administrator): void {
  if (works) return;
  throw new StartFailure(
    `${email} has another password than the one of this start, or does not exist: ADMIN_EMAIL and ADMIN_PASSWORD count at the ` +
      'first start only. Set them to what works, or skip the demo catalog with DEMO=off.',
  );
}
