import { sql } from 'kysely';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { SECOND_FACTOR_PURPOSE, stepOfCode } from './totp.ts';
import { recoveryDigest } from './recovery-codes.ts';

export type ProofDeps = { tx: Sql; secrets: SecretBox };
export type Proof = 'CODE' | 'RECOVERY_CODE';

/** Ignores an unconfirmed second factor. */
export async function hasSecondFactor({ db }: Sql, userId: number): Promise<boolean> {
  const factor = await db
    .selectFrom('access_second_factor')
    .select('userId')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst();

  return factor !== undefined;
}

/** Uses a code. Returns null if it is wrong or was used before (rule ACC-18). */
export function proveFactor(deps: ProofDeps, userId: number, code: string): Promise<Proof | null> {
  const digits = code.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(digits)
    ? takeCode(deps, userId, digits)
    : takeRecoveryCode(deps.tx, userId, code);
}

async function takeCode(
  { tx, secrets }: ProofDeps,
  userId: number,
  code: string,
): Promise<Proof | null> {
  const factor = await tx.db
    .selectFrom('access_second_factor')
    // The clock of the database, so that processes do not accept a code twice.
    .select([
      'secretEncrypted',
      sql<number>`extract(epoch from clock_timestamp())::float8`.as('now'),
    ])
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst();
  if (factor === undefined) return null;

  const step = stepOfCode(
    secrets.open(SECOND_FACTOR_PURPOSE, userId, factor.secretEncrypted),
    code,
    factor.now,
  );
  if (step === null) return null;

  // Finds no row if the code was used concurrently.
  const row = await tx.db
    .updateTable('access_second_factor')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .returning('userId')
    .executeTakeFirst();

  return row === undefined ? null : 'CODE';
}

async function takeRecoveryCode({ db }: Sql, userId: number, code: string): Promise<Proof | null> {
  const digest = recoveryDigest(code);
  const row = await db
    .updateTable('access_second_factor')
    .set({ recoveryDigests: sql<string[]>`array_remove(recovery_digests, ${digest})` })
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .where(sql<boolean>`${digest} = any (recovery_digests)`)
    .returning('userId')
    .executeTakeFirst();

  return row === undefined ? null : 'RECOVERY_CODE';
}
