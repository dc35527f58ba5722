import type { Sql } from '../../platform/db/database.ts';
import { randomUUID } from 'node:crypto';
import { systemActor } from '../../kernel/actor.ts';
import { ensureClient } from '../../modules/gifts/clients/clients.ts';
import { grantRight, type NewRight } from '../../modules/gifts/rights/grant-right.ts';
import { anyOf } from '../../platform/db/database.ts';
import {
  afterMove,
  type CompensationMoveName,
  type CompensationStatus,
  type StandingRight,
} from '../../modules/gifts/rules/states.ts';
import { createSecretBox } from '../../platform/secrets.ts';
import { menuRows } from './menu-rows.ts';
import type { Database } from './text-database.ts';
import { selectRows } from './rows.ts';

const rightSecrets = createSecretBox([{ id: 'test@row', key: Buffer.alloc(32, 7) }]);
export const GRANTER = systemActor('test');

export async function grantTo(
  db: Database,
  right: Partial<NewRight> & Pick<NewRight, 'clientId' | 'rewardId'>,
): Promise<string> {
  const id = await db.transaction((tx) =>
    grantRight(tx, GRANTER, {
      quantity: 1,
      reason: 'LATE_DELIVERY',
      reasonCommentId: null,
      source: 'AUTO',
      sourceMarker: null,
      sourceOrderId: null,
      grantedBy: 'SYSTEM',
      expiresAt: null,
      at: new Date(),
      ...right,
    }),
  );
  if (id === null) throw new Error('The marker has granted a right before');
  return id;
}

export async function rightsFixture(db: Database) {
  const rows = menuRows(db);
  const connectionId = await rows.connection();
  const deps = { secrets: rightSecrets };
  let counter = 0;
  const reward = (more: Record<string, unknown> = {}): Promise<number> =>
    rows.insert('reward', {
      code: `gift-${(counter += 1)}`,
      name: 'Тарт',
      erp_item_id: randomUUID(),
      ...more,
    });
  const client = (
    keys: { erpCustomerId?: string; phone?: string } = { erpCustomerId: randomUUID() },
    account = connectionId,
  ) => db.transaction((tx) => ensureClient(tx, deps, { connectionId: account, ...keys }));
  const [rewardId, clientId] = [await reward(), await client()];
  const grant = (more: Partial<NewRight> = {}) => grantTo(db, { clientId, rewardId, ...more });
  return { rows, deps, connectionId, rewardId, clientId, reward, client, grant };
}

type State = StandingRight & { id: string };

export function storedRights({ db }: Database, ids?: readonly string[]): Promise<State[]> {
  const all = db
    .selectFrom('compensation')
    .select(['id', 'status', 'rewardId', 'reservedOrderId', 'redeemedOrderId', 'version'])
    .orderBy('id');
  return (ids === undefined ? all : all.where('id', '=', anyOf(ids, 'uuid'))).execute();
}

export type LedgerEntry = {
  compensationId: string;
  version: number;
  move: string;
  fromStatus: CompensationStatus | null;
  toStatus: CompensationStatus;
  rewardId: number;
  orderId: string | null;
  reason: string | null;
  reasonId: string | null;
  at: Date;
};

/** Rebuilds rights from the ledger. Throws at a move that the state table does not allow. */
export async function rebuiltRights({ db }: Database, ids?: readonly string[]): Promise<State[]> {
  const all = db
    .selectFrom('compensation_move')
    .selectAll()
    .orderBy('compensationId')
    .orderBy('version');
  return rebuilt(
    await (
      ids === undefined ? all : all.where('compensationId', '=', anyOf(ids, 'uuid'))
    ).execute(),
  );
}

export function rebuilt(moves: readonly LedgerEntry[]): State[] {
  const rights = new Map<string, State>();
  for (const {
    compensationId: id,
    version,
    move,
    fromStatus,
    toStatus,
    rewardId,
    orderId,
    at,
    ...entry
  } of moves) {
    const before = rights.get(id);
    if (before === undefined) {
      if (move !== 'GRANT' || version !== 0)
        throw new Error(`The ledger of ${id} does not begin with its promise`);
      rights.set(id, {
        id,
        status: toStatus,
        rewardId,
        reservedOrderId: null,
        redeemedOrderId: null,
        version,
      });
      continue;
    }
    // The ledger lacks the term, but the move required a valid one.
    const facts = { at: at.getTime(), orderId, reason: entry.reason ?? entry.reasonId };
    const expiresAt = move === 'EXPIRE' ? 0 : null;
    const after = afterMove({ ...before, expiresAt }, move as CompensationMoveName, facts);
    if (
      version !== before.version + 1 ||
      before.status !== fromStatus ||
      !('to' in after) ||
      after.to !== toStatus
    )
      throw new Error(`The ledger of ${id} has no way from ${before.status} to ${toStatus}`);
    rights.set(id, {
      id,
      status: toStatus,
      rewardId,
      version,
      reservedOrderId:
        toStatus === 'RESERVED' ? orderId : toStatus === 'REDEEMED' ? before.reservedOrderId : null,
      redeemedOrderId: toStatus === 'REDEEMED' ? orderId : null,
    });
  }
  return [...rights.values()];
}

export async function redeemedTwice(db: Sql): Promise<string[]> {
  const moves = await selectRows(db, 'compensation_move', ['compensationId'], {
    toStatus: 'REDEEMED',
  });
  const ids = moves.map(({ compensationId }) => compensationId);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

export async function ownerlessPhones({ db }: Sql): Promise<number> {
  const row = await db
    .selectFrom('personal_data as data')
    .leftJoin('compensation_client as client', 'client.personalDataId', 'data.id')
    .where('data.purpose', '=', 'CLIENT')
    .where('client.id', 'is', null)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}
