import { hash, verify } from '@node-rs/argon2';

/** argon2id as recommended by OWASP (19 MiB, two passes). */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let decoy: Promise<string> | undefined;

export async function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

/** Takes just as long without a hash, so that responses do not reveal which e-mails exist. */
export async function passwordMatches(
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  decoy ??= hashPassword('the password of nobody');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
}
