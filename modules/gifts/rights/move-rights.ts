import { DAY_MS } from '../../../kernel/pure/time.ts';
import { sql } from 'kysely';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import {
  afterMove,
  movedRight,
  reasonOfMove,
  type AfterMove,
  type CompensationMoveName,
  type StandingRight,
} from '../rules/states.ts';
import { systemActor, type Actor } from '../../../kernel/actor.ts';
import { recordAudits } from '../../access/audit/record-audit.ts';
import { wordsReference } from '../../access/customers/staff-reasons.ts';
import { recordEvents } from '../../events/record-events.ts';
import { ledgerActor } from './grant-right.ts';
import type { Row } from '../../../platform/db/row.ts';
import { appendOutboxRows } from '../../../kernel/outbox.ts';
import { readSettings } from '../../settings/read-settings.ts';

/** Rights by id, or all rights that an order has reserved. */
export type Rights = { ids: readonly string[] } | { reservedFor: string };

export type WantedMove = {
  move: CompensationMoveName;
  orderId?: string | undefined;
  rewardId?: number | undefined;
  /** A code, which is optional for moves with a default reason. */
  reason?: string | undefined;
  reasonId?: string | null | undefined;
  at: Date;
  /** For EDIT. */
  terms?: { before: RightTerms; after: RightTerms } | undefined;
};

/** Fields that EDIT may change. Staff cannot change the quantity. */
export type RightTerms = Row<
  'compensation',
  'expiresAt' | 'reason' | 'reasonCommentId' | 'sourceOrderId'
> &
  Partial<Row<'compensation', 'quantity'>>;

export type RightState = StandingRight & { id: string };

type RefusedBy = Extract<AfterMove, { refusedBy: unknown }>['refusedBy'];

export type MoveOutcome = {
  moved: RightState[];
  /** Rights that the table of states does not allow to move. */
  refused: (RightState & { refusedBy: RefusedBy })[];
};

/**
 * Locks rights and writes their state, the ledger, the audit and waiting markers (rules CMP-1,
 * CMP-2). Also returns the rights that may not move. With `oneState`, a concurrent move fails with
 * 40001.
 */
export async function moveRights(
  tx: Sql,
  actor: Actor,
  rights: Rights,
  transition: WantedMove,
): Promise<MoveOutcome> {
  const rows = await holdRights(tx, rights);
  const { move, at, orderId = null, reasonId = null } = transition;
  const reason = transition.reason ?? reasonId;
  const judged = rows.map((right) => ({
    right,
    after: afterMove({ ...right, expiresAt: right.expiresAt?.getTime() ?? null }, move, {
      at: at.getTime(),
      orderId,
      reason,
    }),
  }));

  const refused = judged.flatMap(({ right, after }) =>
    'refusedBy' in after ? [{ ...pickState(right), refusedBy: after.refusedBy }] : [],
  );
  const movable = judged.flatMap(({ right, after }) =>
    'to' in after ? [{ right, to: after.to }] : [],
  );
  const moved = movable.map(({ right, to }) => movedRight(pickState(right), to, transition));
  await writeMoves(
    tx,
    actor,
    movable.map(({ right }, index) => [right, moved[index]!] as const),
    transition,
  );

  const redeemed = moved.filter(({ status }) => status === 'REDEEMED');
  await awaitClearing(
    tx,
    redeemed.map(({ id }) => id),
    at,
  );

  return { moved, refused };
}

/** An order needs rights that are no longer available. */
export class RightsTaken extends Error {
  readonly ids: readonly string[];
  constructor(ids: readonly string[]) {
    super('A right to a gift has been taken');
    this.ids = ids;
  }
}

/**
 * Reserves all rights or none (rule CMP-3). Rights in `instead` get another gift first (rule
 * CMP-63). Requires the transaction that writes the order. Throws {@link RightsTaken}.
 */
export async function reserveRights(
  tx: Sql,
  {
    orderId,
    rights,
    instead = new Map(),
    at = new Date(),
  }: {
    orderId: string;
    rights: readonly string[];
    instead?: ReadonlyMap<string, number>;
    at?: Date;
  },
): Promise<void> {
  if (rights.length === 0) return;
  // Locks all rows by id before any right moves.
  if (instead.size > 0) await holdRights(tx, { ids: rights });

  for (const [id, rewardId] of instead)
    await moveRights(
      tx,
      ORDERS,
      { ids: [id] },
      { move: 'REBIND', rewardId, reason: CHOSEN_INSTEAD, at },
    );

  const { moved } = await moveRights(tx, ORDERS, { ids: rights }, { move: 'RESERVE', orderId, at });
  const missingIds = rights.filter((id) => !moved.some((state) => state.id === id));
  if (missingIds.length > 0) throw new RightsTaken(missingIds);
}

/** By default, the actor is the order. */
type Settling = { actor?: Actor; at?: Date; reasonId?: string };

/**
 * Requires an order that the ERP never had and never will have. Extends an expired term.
 * Idempotent.
 */
export async function releaseRights(
  tx: Sql,
  orderId: string,
  reason: string | undefined,
  { actor = ORDERS, at = new Date(), reasonId }: Settling = {},
): Promise<string[]> {
  const transition = { move: 'RELEASE', orderId, reason, reasonId, at } as const;
  const { moved } = await moveRights(tx, actor, { reservedFor: orderId }, transition);
  const ids = moved.map((state) => state.id);
  await extendEnded(tx, ids, { actor, at });
  return ids;
}

/** After a failed order, extends the term of gifts that have expired meanwhile (rule CMP-114). */
async function extendEnded(
  tx: Sql,
  ids: readonly string[],
  { actor, at }: { actor: Actor; at: Date },
): Promise<void> {
  const ended = await tx.db
    .selectFrom('compensation')
    .select(['id', 'expiresAt', 'reason', 'reasonCommentId', 'sourceOrderId'])
    .where('id', '=', anyOf(ids, 'uuid'))
    .where('expiresAt', '<=', at)
    .orderBy('id')
    .execute();
  if (ended.length === 0) return;

  const { gift_return_days: days } = await readSettings(tx, 'gift_return_days');
  const expiresAt = returnedUntil(at, days);

  for (const { id, ...before } of ended)
    await moveRights(
      tx,
      actor,
      { ids: [id] },
      {
        move: 'EDIT',
        reason: RETURNED_LATE,
        at,
        terms: { before, after: { ...before, expiresAt } },
      },
    );
}

/** Returns the earliest expiry of a returned gift (rules CMP-96, CMP-114). */
export const returnedUntil = (at: Date, days: number): Date =>
  new Date(at.getTime() + days * DAY_MS);

const RETURNED_LATE = 'TERM_EXTENDED';

/** Redeems reserved gifts of an order that the ERP has created. Idempotent. */
export async function redeemRights(
  tx: Sql,
  orderId: string,
  { actor = ORDERS, at = new Date(), reasonId }: Settling = {},
): Promise<string[]> {
  const { moved } = await moveRights(
    tx,
    actor,
    { reservedFor: orderId },
    { move: 'REDEEM', orderId, reasonId, at },
  );

  return moved.map((state) => state.id);
}

const CHOSEN_INSTEAD = 'The promised gift was stopped, and the client has chosen this one instead.';

const ORDERS = systemActor('orders');

type HeldRight = RightState & { expiresAt: Date | null };

/** Locks rights by id to avoid deadlocks. */
export function holdRights({ db }: Sql, rights: Rights): Promise<HeldRight[]> {
  const all = db
    .selectFrom('compensation')
    .select([
      'id',
      'status',
      'rewardId',
      'reservedOrderId',
      'redeemedOrderId',
      'expiresAt',
      'version',
    ])
    .orderBy('id')
    .forUpdate();

  return 'ids' in rights
    ? all.where('id', '=', anyOf(rights.ids, 'uuid')).execute()
    : all
        .where('reservedOrderId', '=', rights.reservedFor)
        .where('status', '=', 'RESERVED')
        .execute();
}

const pickState = ({
  id,
  status,
  rewardId,
  reservedOrderId,
  redeemedOrderId,
  version,
}: RightState): RightState => ({
  id,
  status,
  rewardId,
  reservedOrderId,
  redeemedOrderId,
  version,
});

async function writeMoves(
  tx: Sql,
  actor: Actor,
  moves: readonly (readonly [before: RightState, after: RightState])[],
  { move, orderId, at, terms, reasonId = null, ...wanted }: WantedMove,
): Promise<void> {
  if (moves.length === 0) return;
  const reason = wanted.reason ?? (reasonId === null ? reasonOfMove(move) : null);
  const by = ledgerActor(actor);
  const column = <T>(value: (after: RightState, before: RightState) => T): T[] =>
    moves.map(([before, after]) => value(after, before));
  await sql`
    with move as (
      select * from unnest(
        ${column((after) => after.id)}::uuid[], ${column((after) => after.version)}::int[],
        ${column((_, before) => before.status)}::text[], ${column((after) => after.status)}::text[],
        ${column((after) => after.rewardId)}::bigint[], ${column((after) => after.reservedOrderId)}::uuid[],
        ${column((after) => after.redeemedOrderId)}::uuid[])
        as move (id, version, before, status, reward_id, reserved_order_id, redeemed_order_id)),
    ledger as (
      insert into compensation_move
        (compensation_id, version, move, from_status, to_status, reward_id, order_id, reason, reason_id, actor_type, actor_id, actor_name, at)
      select id, version, ${move}, before, status, reward_id, ${orderId ?? null}::uuid, ${reason}, ${reasonId}::uuid, ${by.type}, ${by.id}::bigint,
             ${by.name}, ${at}::timestamptz
        from move)
    update compensation set
        status = move.status, version = move.version, reward_id = move.reward_id,
        reserved_order_id = move.reserved_order_id,
        reserved_at = case when move.reserved_order_id is not null then coalesce(reserved_at, ${at}::timestamptz) end,
        redeemed_order_id = move.redeemed_order_id,
        redeemed_at = case when move.redeemed_order_id is not null then ${at}::timestamptz end
      from move where compensation.id = move.id`.execute(tx.db);

  if (terms !== undefined)
    await tx.db
      .updateTable('compensation')
      .set({
        ...terms.after,
        ...(terms.after.reasonCommentId === terms.before.reasonCommentId
          ? {}
          : { reasonComment: null }),
      })
      .where(
        'id',
        '=',
        anyOf(
          column((after) => after.id),
          'uuid',
        ),
      )
      .execute();

  const event = EVENT_OF_MOVE[move];
  if (event !== undefined)
    await recordEvents(
      tx,
      event,
      moves.map(([, { id, rewardId }]) => ({
        id,
        organizationId: null,
        data: { compensationId: id, rewardId, orderId: orderId ?? null },
      })),
    );

  await recordAudits(
    tx,
    actor,
    moves.map(([before, after]) => ({
      entityType: 'compensation' as const,
      entityId: after.id,
      action: move.toLowerCase(),
      before: { ...pickAudited(before), ...auditedTerms(terms?.before) },
      after: { ...pickAudited(after), ...auditedTerms(terms?.after) },
      ...(reason === null ? {} : { reason }),
      reasonId,
    })),
  );
}

/** Rule EVT-1. */
const EVENT_OF_MOVE: Readonly<
  Partial<
    Record<
      CompensationMoveName,
      'gift.reserved' | 'gift.redeemed' | 'gift.returned' | 'gift.expired'
    >
  >
> = {
  RESERVE: 'gift.reserved',
  REDEEM: 'gift.redeemed',
  IMPORT: 'gift.redeemed',
  RELEASE: 'gift.returned',
  EXPIRE: 'gift.expired',
};

const pickAudited = ({ status, rewardId, reservedOrderId, redeemedOrderId }: RightState) => ({
  status,
  rewardId,
  reservedOrderId,
  redeemedOrderId,
});

const auditedTerms = (terms: RightTerms | undefined) => {
  if (terms === undefined) return {};
  const { reasonCommentId, ...others } = terms;
  return { ...others, reasonComment: wordsReference(reasonCommentId) };
};

/**
 * Queues markers of redeemed rights for removal (rule CMP-13). Includes absent markers, because
 * they may have returned.
 */
async function awaitClearing(tx: Sql, redeemed: readonly string[], at: Date): Promise<void> {
  if (redeemed.length === 0) return;
  const { rows } = await sql<Row<'client_marker', 'clientId' | 'source'>>`
    with waiting as (
      insert into marker_clearing (compensation_id, waits_since)
      select compensation_id, ${at}::timestamptz from client_marker where compensation_id = any (${[...redeemed]}::uuid[])
      returning compensation_id)
    select distinct client_id, source from waiting join client_marker using (compensation_id)`.execute(
    tx.db,
  );

  await appendOutboxRows(tx, 'MarkersWait', rows);
}
