import { sql } from 'kysely';
import type { NewSecondFactor, RecoveryCodes } from '../schemas/access.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { AccessUser } from '../tables/access.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { holdForEdit } from '../../../kernel/edits.ts';
import { clearCodeAttempts, countCodeAttempt } from '../login-throttle.ts';
import { requirePresentPassword, type SignedIn } from '../present-password.ts';
import { SECOND_FACTOR_PURPOSE, newSecret, otpauthUri, stepOfCode } from './totp.ts';
import { noteSecurityEvent, type SecurityDeps } from '../security-events.ts';
import { endSessions } from '../user-fields.ts';
import { newRecoveryCodes, recoveryDigest } from './recovery-codes.ts';

/** Leaves time to fetch the phone. */
const PENDING_MINUTES = 15;

export type FactorDeps = SecurityDeps & { db: Database };

/**
 * Creates a secret, to be confirmed within 15 minutes. Problems: validation (password),
 * rate-limited, invalid-transition if a second factor exists.
 */
export async function beginSecondFactor(
  deps: FactorDeps,
  who: SignedIn,
  input: { currentPassword: string },
): Promise<NewSecondFactor> {
  const { email } = await requirePresentPassword(deps, who, input.currentPassword);
  const secret = newSecret();
  const fresh = {
    secretEncrypted: deps.secrets.seal(SECOND_FACTOR_PURPOSE, who.userId, secret),
    createdAt: sql<Date>`now()`,
  };

  const made = await deps.db.db
    .insertInto('access_second_factor')
    .values({ userId: who.userId, ...fresh })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet(fresh)
        .where('access_second_factor.confirmedAt', 'is', null),
    )
    .returning('userId')
    .executeTakeFirst();

  if (made === undefined)
    throw new Problem('invalid-transition', {
      detail: 'There is already a second factor. Remove it first',
    });

  return { secret, uri: otpauthUri(secret, email) };
}

/**
 * Returns recovery codes, which are shown only once. Ends the user's other sessions, which began
 * without a second factor. Problems: validation, rate-limited, invalid-transition without a secret.
 */
export async function confirmSecondFactor(
  deps: FactorDeps,
  who: SignedIn,
  code: string,
): Promise<RecoveryCodes> {
  const { userId, sessionId, requestId, address } = who;
  await countCodeAttempt(deps.db, sessionId);
  const codes = newRecoveryCodes();
  const isRight = await deps.db.transaction(async (tx) => {
    // Sessions of concurrent sign-ins with the password alone must end too.
    await holdForEdit(tx, AccessUser, userId);
    const step = stepOfCode(await pendingSecret(tx, deps, userId), code, await secondsNow(tx));
    if (step === null) return false;
    await tx.db
      .updateTable('access_second_factor')
      .set({
        confirmedAt: sql<Date>`now()`,
        lastStep: step,
        recoveryDigests: codes.map(recoveryDigest),
      })
      .where('userId', '=', userId)
      .execute();

    await endSessions(tx, userId, 'SECOND_FACTOR_SET', sessionId);
    await recordAudit(tx, who, {
      entityType: 'user',
      entityId: userId,
      action: 'set-second-factor',
    });

    return true;
  });

  if (!isRight) {
    await noteSecurityEvent(deps, { kind: 'SECOND_FACTOR_REFUSED', userId, requestId, address });
    throw invalidField('code', 'invalid', 'is not the current code');
  }

  await clearCodeAttempts(deps.db, sessionId);

  return { recoveryCodes: codes };
}

async function pendingSecret(
  { db }: Sql,
  { secrets }: FactorDeps,
  userId: number,
): Promise<string> {
  const factor = await db
    .selectFrom('access_second_factor')
    .select('secretEncrypted')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is', null)
    .where('createdAt', '>', sql<Date>`now() - ${PENDING_MINUTES} * interval '1 minute'`)
    .executeTakeFirst();
  if (factor === undefined)
    throw new Problem('invalid-transition', { detail: 'There is no second factor to confirm' });

  return secrets.open(SECOND_FACTOR_PURPOSE, userId, factor.secretEncrypted);
}

async function secondsNow({ db }: Sql): Promise<number> {
  const seconds = sql<number>`extract(epoch from clock_timestamp())::float8`;
  return (await db.selectNoFrom(seconds.as('now')).executeTakeFirstOrThrow()).now;
}
