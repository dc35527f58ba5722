import { hash, verify } from '@node-rs/argon2';

/** argon2id with the parameters of the OWASP recommendation (19 MiB, two passes). */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let decoy: Promise<string> | undefined;

/** The text to store for a password. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

/**
 * True when the password belongs to the stored hash. Without a hash (unknown e-mail, no password
 * set) the same work is done against a decoy, so that the time of an answer does not reveal which
 * e-mails exist.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('the password of nobody');
  const matches = await verify(stored ?? (await decoy), password);
  return matches && stored !== null;
}
