import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { requireRightsOfUser } from '../held-rights.ts';
import { clearCodeAttempts, countCodeAttempt } from '../login-throttle.ts';
import { requirePresentPassword, type SignedIn } from '../present-password.ts';
import { insertSecurityEvent, noteSecurityEvent } from '../security-events.ts';
import { getUser } from '../user-views.ts';
import { proveFactor } from './prove-factor.ts';
import type { FactorDeps } from './set-factor.ts';

/** Also deletes an unconfirmed factor. Returns true if the factor was active. */
export async function dropSecondFactor({ db }: Sql, userId: number): Promise<boolean> {
  const row = await db
    .deleteFrom('access_second_factor')
    .where('userId', '=', userId)
    .returning('confirmedAt')
    .executeTakeFirst();

  return row !== undefined && row.confirmedAt !== null;
}

/** Requires the password and a code. Problems: validation, rate-limited. */
export async function removeOwnFactor(
  deps: FactorDeps,
  who: SignedIn,
  input: { currentPassword: string; code: string },
): Promise<void> {
  const { userId, sessionId, requestId, address } = who;
  await requirePresentPassword(deps, who, input.currentPassword);
  await countCodeAttempt(deps.db, sessionId);
  const isProved = await deps.db.transaction(async (tx) => {
    if ((await proveFactor({ tx, secrets: deps.secrets }, userId, input.code)) === null)
      return false;
    await dropSecondFactor(tx, userId);
    await tell(tx, who, userId);
    return true;
  });

  if (!isProved) {
    await noteSecurityEvent(deps, { kind: 'SECOND_FACTOR_REFUSED', userId, requestId, address });
    throw invalidField('code', 'invalid', 'is neither the current code nor a recovery code');
  }

  await clearCodeAttempts(deps.db, sessionId);
}

/**
 * Problems: not-found, invalid-transition (the actor's second factor), forbidden (the user has more
 * permissions).
 */
export function removeFactorOfUser(
  deps: FactorDeps,
  actor: Actor & { userId: number },
  userId: number,
): Promise<void> {
  if (actor.userId === userId)
    throw new Problem('invalid-transition', {
      detail: 'Remove your own second factor with your password and a code',
    });

  return deps.db.transaction(async (tx) => {
    await getUser(tx, userId);
    await requireRightsOfUser(tx, actor, userId);
    if (!(await dropSecondFactor(tx, userId)))
      throw new Problem('not-found', { detail: 'The user has no second factor' });
    await tell(tx, actor, userId);
  });
}

async function tell(tx: Sql, actor: Actor, userId: number): Promise<void> {
  await recordAudit(tx, actor, {
    entityType: 'user',
    entityId: userId,
    action: 'remove-second-factor',
  });
  const requestId = 'requestId' in actor ? actor.requestId : null;
  await insertSecurityEvent(tx, { kind: 'SECOND_FACTOR_REMOVED', userId, requestId });
}
