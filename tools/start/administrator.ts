import { StartFailure } from '../../platform/start-failure.ts';

export type Administrator = { email: string; password: string };

/**
 * Whether the administrator of a running API has this password. ADMIN_PASSWORD counts at the first start only, so a
 * later one may name another. A refusal for another reason (too many attempts) says nothing and counts as true.
 */
export async function passwordWorks(apiUrl: string, administrator: Administrator): Promise<boolean> {
  const { status } = await fetch(`${apiUrl}/api/admin/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(administrator),
  });
  return status !== 401;
}

/** The demo catalogue is made by signing in, so it cannot go on with another password. Throws StartFailure. */
export function requireForDemo(works: boolean, { email }: Administrator): void {
  if (works) return;
  throw new StartFailure(
    `${email} has another password than this start was given, or is nobody here: ADMIN_EMAIL and ADMIN_PASSWORD count at the ` +
      'first start only. Set them to what works, or leave the demo catalogue alone with DEMO=off.',
  );
}
