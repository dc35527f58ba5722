import { selectAuthor } from '../../access/authors.ts';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import type { UnauthorizedDecision, UnauthorizedGift } from '../schemas/staff-decisions.ts';
import type { UnauthorizedStatus } from '../rules/words.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { keepReason, withReasons } from '../../access/customers/staff-reasons.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { resolveNotification } from '../../notifications/raise-notification.ts';
import { inScope, type Scope } from '../../../kernel/scope.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { keepClient } from '../clients/clients.ts';
import { UNAUTHORIZED_SUBJECT } from './write-unauthorized.ts';

const listed = ({ db }: Sql) =>
  db
    .selectFrom('unauthorized_gift as gift')
    .innerJoin('erp_gift_order as order', 'order.id', 'gift.giftOrderId')
    .innerJoin('reward', 'reward.id', 'gift.rewardId')
    .select([
      'gift.id',
      'gift.kind',
      'gift.status',
      'order.organizationErpId',
      'order.erpOrderId',
      'order.ownOrderId as orderId',
      'gift.name',
      'gift.quantity',
      'gift.clientId',
      'gift.reason',
      'gift.reasonId',
      'gift.foundAt',
      'gift.closedAt',
      selectAuthor('gift.closedByUserId').as('closedBy'),
    ])
    .select([
      sql<string>`"order".day::text`.as('day'),
      sql<
        UnauthorizedGift['reward']
      >`json_build_object('id', reward.id, 'code', reward.code, 'name', reward.name)`.as('reward'),
    ]);

/** Lists gifts without a right, newest first. */
export async function listUnauthorized(
  deps: { db: Sql; secrets: SecretBox },
  filter: {
    status?: UnauthorizedStatus | undefined;
    organizationId?: number | undefined;
    scope: Scope;
  },
  paging: Paging,
): Promise<Page<UnauthorizedGift>> {
  const { status, organizationId, scope } = filter;
  const query = listed(deps.db)
    .where((eb) => eb.and(omitUndefined({ 'gift.status': status })))
    .$if(organizationId !== undefined, (gifts) =>
      gifts.where('order.organizationErpId', '=', (eb) =>
        eb.selectFrom('mirror_organization').select('erpId').where('id', '=', organizationId!),
      ),
    )
    .$if(scope !== null, (gifts) =>
      gifts.where('order.organizationErpId', 'in', (eb) =>
        eb
          .selectFrom('mirror_organization as own')
          .select('own.erpId')
          .where((own) => inScope(own.ref('own.id'), scope)),
      ),
    )
    .orderBy('gift.foundAt', 'desc')
    .orderBy('gift.id', 'desc');

  const { items, ...page } = await readPage(query, paging);

  return { ...page, items: await withReasons(deps.db, deps, items) };
}

/**
 * Records a decision (rule CMP-50). Does not change the order or its rights. Problems: not-found,
 * validation, invalid-transition (closed).
 */
export async function settleUnauthorized(
  { db, secrets }: { db: Database; secrets: SecretBox },
  actor: Actor,
  id: number,
  { decision, ...input }: UnauthorizedDecision,
): Promise<UnauthorizedGift> {
  const { reason } = requiredTexts({ reason: input.reason }, { reason: 500 }, 'words');
  return db.transaction(async (tx) => {
    const owner = await tx.db
      .selectFrom('unauthorized_gift')
      .select('clientId')
      .where('id', '=', id)
      .executeTakeFirst();
    if (owner?.clientId != null) await keepClient(tx, owner.clientId);

    const gift = await tx.db
      .selectFrom('unauthorized_gift')
      .select('status')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => new Problem('not-found'));
    if (gift.status !== 'OPEN') throw new Problem('invalid-transition');

    const reasonId = await keepReason(tx, { secrets }, reason);
    const closedByUserId = actor.type === 'USER' ? actor.userId : null;
    await tx.db
      .updateTable('unauthorized_gift')
      .set({ status: decision, reasonId, closedAt: sql<Date>`now()`, closedByUserId })
      .where('id', '=', id)
      .execute();

    await resolveNotification(tx, 'UNAUTHORIZED_COMPENSATION', UNAUTHORIZED_SUBJECT, id);
    await recordAudit(tx, actor, {
      entityType: 'unauthorized-gift',
      entityId: id,
      action: 'settle',
      before: { status: gift.status },
      after: { status: decision },
      reasonId,
    });

    const rows = await listed(tx).where('gift.id', '=', id).execute();

    return (await withReasons(tx, { secrets }, rows))[0]!;
  });
}
