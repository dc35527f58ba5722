import type { CompensationWithMoves } from '../schemas/gifts.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { isBlank } from '../../../kernel/pure/required-texts.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { keepReason } from '../../access/customers/staff-reasons.ts';
import { getCompensation } from './compensations.ts';
import { accountOfGivableReward } from './givable-reward.ts';
import { moveRights, type WantedMove } from './move-rights.ts';

type Deps = { db: Database; secrets: SecretBox };

/**
 * Cancels a right (rule CMP-10). Problems: not-found, reason-required, validation,
 * compensation-taken, invalid-transition.
 */
export function cancelCompensation(
  deps: Deps,
  actor: Actor,
  id: string,
  reason: string | null | undefined,
): Promise<CompensationWithMoves> {
  return moved(deps, actor, id, validateReason(reason), { move: 'CANCEL', at: new Date() });
}

/**
 * Replaces the gift of a right, which unblocks it (rule CMP-10). Problems: not-found,
 * reason-required, validation, compensation-taken, invalid-transition.
 */
export async function rebindCompensation(
  deps: Deps,
  actor: Actor,
  id: string,
  { rewardId, reason }: { rewardId: number; reason?: string | null | undefined },
): Promise<CompensationWithMoves> {
  const validReason = validateReason(reason);
  const { connectionId } = await getCompensation(deps, id);
  const account = await accountOfGivableReward(deps.db, rewardId);
  if (account !== null && account !== connectionId)
    throw invalidField(
      'rewardId',
      'invalid',
      'The gift belongs to another account of the ERP than the client.',
    );

  return moved(deps, actor, id, validReason, { move: 'REBIND', rewardId, at: new Date() });
}

function validateReason(text: string | null | undefined): string {
  if (text == null || isBlank(text)) throw new Problem('reason-required');
  return requiredTexts({ reason: text }, { reason: 500 }, 'words').reason;
}

async function moved(
  deps: Deps,
  actor: Actor,
  id: string,
  reason: string,
  transition: WantedMove,
): Promise<CompensationWithMoves> {
  await deps.db.transaction(async (tx) =>
    moveByStaff(tx, actor, id, { ...transition, reasonId: await keepReason(tx, deps, reason) }),
  );
  // Throws `not-found` for a missing right.
  return getCompensation(deps, id);
}

/** Moves a right if it exists. Problems: compensation-taken, invalid-transition. */
export async function moveByStaff(
  tx: Tx,
  actor: Actor,
  id: string,
  transition: WantedMove,
): Promise<void> {
  const { refused } = await moveRights(tx, actor, { ids: [id] }, transition);
  const [stays] = refused;
  if (stays !== undefined) {
    const orderId = stays.redeemedOrderId ?? stays.reservedOrderId;
    if (orderId !== null) throw new Problem('compensation-taken', { extra: { orderId } });
    throw new Problem('invalid-transition', { detail: `The right is ${stays.status}.` });
  }
}
