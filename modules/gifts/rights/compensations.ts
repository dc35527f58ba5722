import { selectAuthor } from '../../access/authors.ts';
import type { Compensation as Answered, CompensationWithMoves } from '../schemas/gifts.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import type { CompensationStatus } from '../rules/states.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { readPersonal } from '../../access/customers/personal-data.ts';
import { readReasons, shownReason, withReasons } from '../../access/customers/staff-reasons.ts';
import { reasonOfMove } from '../rules/states.ts';
import {
  readCursorPage,
  type CursorPage,
  type CursorPaging,
  type ListOrder,
} from '../../../kernel/cursor-pages.ts';
import { omitUndefined } from '../../../kernel/pages.ts';
import { phoneDigests } from '../clients/clients.ts';

type Deps = { db: Sql; secrets: SecretBox };

export type CompensationFilters = {
  status?: CompensationStatus | undefined;
  /** A client id or a phone. */
  client?: string | undefined;
  clientIds?: readonly string[] | undefined;
  rewardId?: number | undefined;
  /** Inclusive; `to` is exclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const ORDER: ListOrder = {
  own: [
    { field: 'grantedAt', direction: 'desc' },
    { field: 'id', direction: 'asc' },
  ],
  columns: {
    grantedAt: 'compensation.grantedAt',
    id: 'compensation.id',
    expiresAt: 'compensation.expiresAt',
    status: 'compensation.status',
    quantity: 'compensation.quantity',
    source: 'compensation.source',
  },
  nullable: ['expiresAt'],
};

/** Lists rights, newest first. Problem `validation` for an invalid `client`. */
export async function listCompensations(
  deps: Deps,
  { status, client, clientIds, rewardId, from, to }: CompensationFilters,
  paging: CursorPaging,
): Promise<CursorPage<Answered>> {
  let query = rights(deps.db).where((eb) =>
    eb.and(
      omitUndefined({
        'compensation.status': status,
        'compensation.rewardId': rewardId,
        ...clientFilter(deps, client),
      }),
    ),
  );

  if (clientIds !== undefined) query = query.where('client.id', '=', anyOf(clientIds, 'uuid'));
  if (from !== undefined) query = query.where('compensation.grantedAt', '>=', from);
  if (to !== undefined) query = query.where('compensation.grantedAt', '<', to);
  const { items, ...page } = await readCursorPage(deps.db, query, paging, ORDER);

  return { ...page, items: await buildViews(deps, items) };
}

/** Returns a right with ledger and marker (rule CMP-15). Problem `not-found`. */
export async function getCompensation(deps: Deps, id: string): Promise<CompensationWithMoves> {
  const row = await rights(deps.db)
    .where('compensation.id', '=', id)
    .executeTakeFirstOrThrow(
      () => new Problem('not-found', { detail: 'There is no such right to a gift.' }),
    );

  const moves = await deps.db.db
    .selectFrom('compensation_move')
    .select([
      'version',
      'move',
      'fromStatus as before',
      'toStatus as after',
      'rewardId',
      'orderId',
      'reason',
      'reasonId',
      selectAuthor('compensation_move.actorId').as('user'),
      'actorName as actor',
      'at',
    ])
    .where('compensationId', '=', id)
    .orderBy('version')
    .execute();

  const marker = await deps.db.db
    .selectFrom('marker_clearing')
    .select(['state', 'heldBy', 'tries', 'waitsSince', 'triedAt', 'clearedAt', 'isAsWritten'])
    .where('compensationId', '=', id)
    .executeTakeFirst();

  const [view] = await buildViews(deps, [row]);
  // Moves written by earlier releases have no reason.
  const reasoned = moves.map((entry) => ({
    ...entry,
    reason: entry.reason ?? reasonOfMove(entry.move),
  }));

  return { ...view!, moves: await withReasons(deps.db, deps, reasoned), marker: marker ?? null };
}

function clientFilter(deps: Deps, client: string | undefined) {
  if (client === undefined) return {};
  if (UUID.test(client)) return { 'compensation.clientId': client.toLowerCase() };
  const phone = normalPhone(client);
  if (phone === null)
    throw invalidField(
      'client',
      'format',
      'must be the id of a client or a phone with its country',
    );

  return { 'client.phoneDigest': anyOf(phoneDigests(deps, phone), 'text') };
}

const rights = ({ db }: Sql) =>
  db
    .selectFrom('compensation')
    .innerJoin('compensation_client as client', 'client.id', 'compensation.clientId')
    .innerJoin('reward', 'reward.id', 'compensation.rewardId')
    .selectAll('compensation')
    .select([
      'client.connectionId',
      'client.erpCustomerId',
      'client.personalDataId',
      'reward.code as rewardCode',
      'reward.name as rewardName',
      selectAuthor('compensation.grantedByUserId').as('grantedByUser'),
    ]);

type Row = Omit<Answered, 'clientPhone' | 'reasonCommentErased'> & {
  personalDataId: string | null;
  reasonCommentId: string | null;
  grantedByUserId: number | null;
};

async function buildViews(deps: Deps, rows: readonly Row[]): Promise<Answered[]> {
  const ids = rows.flatMap((row) => row.personalDataId ?? []);
  const existing = await readPersonal<{ phone: string }>(deps.db, deps, [...new Set(ids)]);
  const words = await readReasons(
    deps.db,
    deps,
    rows.map((row) => row.reasonCommentId),
  );

  return rows.map(({ personalDataId, reasonCommentId, grantedByUserId: _granter, ...row }) => {
    const comment = shownReason({ reason: row.reasonComment, reasonId: reasonCommentId }, words);
    return {
      ...row,
      reasonComment: comment.reason,
      reasonCommentErased: comment.reasonErased,
      clientPhone: personalDataId === null ? null : hidden(existing.get(personalDataId)?.phone),
    };
  });
}

/** Hides most digits, but staff can still recognize the phone. */
export function hidden(phone: string | undefined): string | null {
  return phone === undefined
    ? null
    : `${phone.slice(0, 2)}${'*'.repeat(phone.length - 6)}${phone.slice(-4)}`;
}
