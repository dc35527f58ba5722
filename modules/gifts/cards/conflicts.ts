import { selectAuthor } from '../../access/authors.ts';
import { sql } from 'kysely';
import type { CompensationConflict, ConflictDecision } from '../schemas/staff-decisions.ts';
import { permissionMissing, Problem } from '../../../kernel/problem.ts';
import type { ConflictStatus } from '../rules/words.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { keepReason, withReasons } from '../../access/customers/staff-reasons.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { anyOf, type Database, type Sql, type Tx } from '../../../platform/db/database.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { grantMarked } from './apply-card.ts';
import { keepClient } from '../clients/clients.ts';
import { accountOfGivableReward } from '../rights/givable-reward.ts';
import { requireMayGrant } from '../rights/issue-right.ts';
import { moveRights } from '../rights/move-rights.ts';

const listed = ({ db }: Sql) =>
  db
    .selectFrom('compensation_conflict as conflict')
    .innerJoin('reward', 'reward.id', 'conflict.rewardId')
    .select([
      'conflict.id',
      'conflict.kind',
      'conflict.status',
      'conflict.source',
      'conflict.clientId',
      'conflict.compensationId',
      'conflict.reason',
      'conflict.reasonId',
      'conflict.foundAt',
      'conflict.closedAt',
      selectAuthor('conflict.closedByUserId').as('closedBy'),
    ])
    .select(
      sql<
        CompensationConflict['reward']
      >`json_build_object('id', reward.id, 'code', reward.code, 'name', reward.name)`.as('reward'),
    );

export async function listConflicts(
  deps: { db: Sql; secrets: SecretBox },
  filter: { status?: ConflictStatus | undefined; clientIds?: readonly string[] },
  paging: Paging,
): Promise<Page<CompensationConflict>> {
  const query = listed(deps.db)
    .where((eb) => eb.and(omitUndefined({ 'conflict.status': filter.status })))
    .$if(filter.clientIds !== undefined, (query) =>
      query.where('conflict.clientId', '=', anyOf(filter.clientIds ?? [], 'uuid')),
    )
    .orderBy('conflict.foundAt', 'desc')
    .orderBy('conflict.id', 'desc');

  const { items, ...page } = await readPage(query, paging);

  return { ...page, items: await withReasons(deps.db, deps, items) };
}

export const STATUS_OF_DECISION = { GRANT: 'GRANTED', IGNORE: 'IGNORED' } as const satisfies Record<
  ConflictDecision['decision'],
  ConflictStatus
>;

/**
 * Grants or keeps the gift. Or ignores the marker, or cancels a right that lost its marker (rules
 * CMP-9, CMP-45). The marker stays stored, so that it is not found again. Problems: not-found,
 * validation, grant-limit-reached, forbidden without `mayCancel`, invalid-transition (closed or not
 * cancelable).
 */
export async function resolveConflict(
  { db, secrets }: { db: Database; secrets: SecretBox },
  actor: Actor,
  id: number,
  { decision, mayCancel, ...input }: ConflictDecision & { mayCancel: boolean },
): Promise<CompensationConflict> {
  const { reason } = requiredTexts({ reason: input.reason }, { reason: 500 }, 'words');
  return db.transaction(async (tx) => {
    const reasonId = await keepReason(tx, { secrets }, reason);
    const conflict = await holdConflict(tx, id);
    if (conflict.status !== 'OPEN') throw new Problem('invalid-transition');
    const at = new Date();
    const status = STATUS_OF_DECISION[decision];
    let { compensationId } = conflict;
    if (conflict.kind === 'SECOND_RIGHT' && decision === 'GRANT') {
      const { phoneDigest } = conflict;
      await accountOfGivableReward(tx, conflict.rewardId);
      if (actor.type === 'USER')
        await requireMayGrant(tx, { secrets }, actor, { phoneDigest, field: 'decision', now: at });
      const right = { ...conflict, at, reasonCommentId: reasonId };
      // Falls back to our client id, because another connection may have used the customer's id
      // (rule CMP-92).
      compensationId =
        (await grantMarked(tx, actor, right)) ??
        (await grantMarked(tx, actor, { ...right, erpCustomerId: null }));
      await tx.db
        .updateTable('client_marker')
        .set({ compensationId })
        .where('clientId', '=', conflict.clientId)
        .where('source', '=', conflict.source)
        .where('subject', '=', conflict.subject)
        .where('generation', '=', conflict.generation)
        .execute();
    }

    if (conflict.kind === 'REMOVED_BY_HAND' && decision === 'IGNORE') {
      if (!mayCancel) throw permissionMissing(['compensations.manage']);
      const { moved } = await moveRights(
        tx,
        actor,
        { ids: [compensationId!] },
        { move: 'CANCEL', reasonId, at },
      );
      if (moved.length === 0) throw new Problem('invalid-transition');
    }

    const closedByUserId = actor.type === 'USER' ? actor.userId : null;
    await tx.db
      .updateTable('compensation_conflict')
      .set({ status, reasonId, compensationId, closedAt: at, closedByUserId })
      .where('id', '=', id)
      .execute();

    await recordAudit(tx, actor, {
      entityType: 'compensation-conflict',
      entityId: id,
      action: decision.toLowerCase(),
      before: { status: conflict.status },
      after: { status, compensationId },
      reasonId,
    });

    const rows = await listed(tx).where('conflict.id', '=', id).execute();

    return (await withReasons(tx, { secrets }, rows))[0]!;
  });
}

/** Locks the client before the card, like reading a card (rule CMP-109). */
async function holdConflict(tx: Tx, id: number) {
  const { db } = tx;
  const conflict = await db
    .selectFrom('compensation_conflict')
    .select('clientId')
    .where('id', '=', id)
    .executeTakeFirst();
  if (conflict === undefined) throw new Problem('not-found');

  await keepClient(tx, conflict.clientId);
  await db
    .selectFrom('client_card')
    .select('clientId')
    .where('clientId', '=', conflict.clientId)
    .forUpdate()
    .execute();

  return db
    .selectFrom('compensation_conflict as conflict')
    .innerJoin('compensation_client as client', 'client.id', 'conflict.clientId')
    .selectAll('conflict')
    .select(['client.erpCustomerId', 'client.phoneDigest'])
    .where('conflict.id', '=', id)
    .executeTakeFirstOrThrow();
}
