import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { CompensationReason, CompensationSource } from '../rules/words.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordEvents } from '../../events/record-events.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { wordsReference } from '../../access/customers/staff-reasons.ts';

export type NewRight = {
  clientId: string;
  rewardId: number;
  quantity: number;
  reason: CompensationReason;
  /** Staff text in `personal_data`. */
  reasonCommentId: string | null;
  source: CompensationSource;
  /** Each marker grants only one right (rule CMP-4). */
  sourceMarker: string | null;
  sourceOrderId: string | null;
  grantedBy: 'STAFF' | 'ERP_OPERATOR' | 'SYSTEM';
  expiresAt: Date | null;
  at: Date;
};

/** Grants a right and returns its id, or null if its marker has already granted a right. */
export async function grantRight(tx: Sql, actor: Actor, right: NewRight): Promise<string | null> {
  const id = randomUUID();
  const by = ledgerActor(actor);
  const { at, grantedBy, reasonCommentId, ...fields } = right;
  const { rows } = await sql`
    with granted as (
      insert into compensation (id, client_id, reward_id, quantity, reason, reason_comment_id, source, source_marker, source_order_id,
          granted_by, granted_by_user_id, granted_at, expires_at)
      values (${id}::uuid, ${right.clientId}::uuid, ${right.rewardId}::bigint, ${right.quantity}::int, ${right.reason}, ${reasonCommentId}::uuid,
          ${right.source}, ${right.sourceMarker}, ${right.sourceOrderId}::uuid, ${grantedBy},
          ${grantedBy === 'STAFF' ? by.id : null}::bigint, ${at}::timestamptz, ${right.expiresAt}::timestamptz)
      on conflict (source, source_marker) where source_marker is not null do nothing
      returning *)
    insert into compensation_move
        (compensation_id, version, move, from_status, to_status, reward_id, order_id, reason, reason_id, actor_type, actor_id, actor_name, at)
    select id, version, 'GRANT', null, status, reward_id, null, reason, reason_comment_id, ${by.type}, ${by.id}::bigint, ${by.name}, granted_at
      from granted
    returning 1`.execute(tx.db);
  if (rows.length === 0) return null;

  await recordEvents(tx, 'gift.granted', [
    {
      id,
      organizationId: null,
      data: { compensationId: id, rewardId: right.rewardId, orderId: right.sourceOrderId },
    },
  ]);

  await recordAudit(tx, actor, {
    entityType: 'compensation',
    entityId: id,
    action: 'grant',
    after: {
      ...fields,
      reasonComment: wordsReference(reasonCommentId),
      grantedBy,
      status: 'GRANTED',
    },
    reason: right.reason,
    reasonId: reasonCommentId,
  });

  return id;
}

export function ledgerActor(actor: Actor): {
  type: 'USER' | 'SYSTEM';
  id: number | null;
  name: string | null;
} {
  return actor.type === 'USER'
    ? { type: 'USER', id: actor.userId, name: null }
    : { type: 'SYSTEM', id: null, name: actor.name };
}
