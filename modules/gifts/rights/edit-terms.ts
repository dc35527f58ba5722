import type { CompensationEdit, CompensationWithMoves } from '../schemas/gifts.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { requireVersion } from '../../../kernel/edits.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { omitUndefined } from '../../../kernel/pages.ts';
import { keepReason } from '../../access/customers/staff-reasons.ts';
import { getCompensation } from './compensations.ts';
import { moveByStaff } from './staff-moves.ts';

/**
 * Changes a GRANTED or BLOCKED right (rule CMP-103). Absent fields are not changed. Problems:
 * not-found, version-conflict, validation, compensation-taken, invalid-transition.
 */
export async function editCompensation(
  deps: { db: Database; secrets: SecretBox },
  actor: Actor,
  id: string,
  { version, expiresAt, reason, reasonComment, sourceOrderId }: CompensationEdit,
  now = new Date(),
): Promise<CompensationWithMoves> {
  const term = expiresAt == null ? expiresAt : new Date(expiresAt);
  if (term != null && term <= now) throw invalidField('expiresAt', 'min', 'must be in the future');
  const comment = reasonComment == null ? reasonComment : reasonComment.trim() || null;
  await deps.db.transaction(async (tx) => {
    const right = await tx.db
      .selectFrom('compensation')
      .select(['version', 'expiresAt', 'reason', 'reasonCommentId', 'sourceOrderId'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(
        () => new Problem('not-found', { detail: 'There is no such right to a gift.' }),
      );

    requireVersion(right.version, version);
    const { version: _, ...before } = right;
    const reasonCommentId = comment == null ? comment : await keepReason(tx, deps, comment);
    const changed = omitUndefined({
      expiresAt: term,
      reasonCommentId,
      sourceOrderId: sourceOrderId?.toLowerCase() ?? sourceOrderId,
    });

    await moveByStaff(tx, actor, id, {
      move: 'EDIT',
      reason,
      reasonId: reasonCommentId ?? null,
      at: now,
      terms: { before, after: { ...before, reason, ...changed } },
    });
  });

  return getCompensation(deps, id);
}
