import { sql } from 'kysely';
import type { CompensationWithMoves, NewCompensation } from '../schemas/gifts.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { advisory } from '../../../platform/db/locks.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { keepReason } from '../../access/customers/staff-reasons.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { ensureClient, phoneDigests } from '../clients/clients.ts';
import { getCompensation } from './compensations.ts';
import { accountOfGivableReward } from './givable-reward.ts';
import { grantRight } from './grant-right.ts';

type Deps = { db: Database; secrets: SecretBox };
export type StaffActor = Extract<Actor, { type: 'USER' }>;

/**
 * Grants a gift for staff (rule CMP-9). Problems: validation,
 * grant-limit-reached, idempotency-key-reused, idempotency-in-flight.
 */
export async function issueCompensation(
  deps: Deps,
  actor: StaffActor,
  input: NewCompensation,
  idempotency: Idempotency | null,
  now = new Date(),
): Promise<CompensationWithMoves> {
  const id = await deps.db.transaction((tx) =>
    once(tx, idempotency, () => grantByHand(tx, deps, actor, input, { marker: null, now })),
  );
  return getCompensation(deps, id);
}

/**
 * Grants a gift manually (rule CMP-9). `marker` prevents a second right. Problems: validation,
 * grant-limit-reached.
 */
export async function grantByHand(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: NewCompensation,
  { marker, now }: { marker: string | null; now: Date },
): Promise<string> {
  const expiresAt = input.expiresAt == null ? null : new Date(input.expiresAt);
  if (expiresAt !== null && expiresAt <= now)
    throw invalidField('expiresAt', 'min', 'must be in the future');
  const account = await accountOfGivableReward(tx, input.rewardId);
  await requireRoom(tx, actor.userId, now);
  const clientId = await clientToGrant(tx, deps, actor, input, account);
  const comment = input.reasonComment?.trim() || null;
  const granted = await grantRight(tx, actor, {
    clientId,
    rewardId: input.rewardId,
    quantity: input.quantity ?? 1,
    reason: input.reason,
    reasonCommentId: comment === null ? null : await keepReason(tx, deps, comment),
    source: 'ADMIN',
    sourceMarker: marker,
    sourceOrderId: input.sourceOrderId ?? null,
    grantedBy: 'STAFF',
    expiresAt,
    at: now,
  });
  if (granted === null) throw new Error('A right was granted manually twice');

  return granted;
}

async function requireRoom(tx: Tx, userId: number, now: Date): Promise<void> {
  await advisory.compensationGrants(tx, userId);
  const { compensation_grants_per_day: most } = await readSettings(
    tx,
    'compensation_grants_per_day',
  );

  const { count } = await tx.db
    .selectFrom('compensation')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('grantedByUserId', '=', userId)
    .where('grantedAt', '>', sql<Date>`${now}::timestamptz - interval '24 hours'`)
    .executeTakeFirstOrThrow();
  if (count >= most) throw new Problem('grant-limit-reached');
}

/**
 * Checks the limit of grants in 24 hours, and that the phone does not belong to the user (rule
 * CMP-9). Problems: grant-limit-reached, validation (`field`).
 */
export async function requireMayGrant(
  tx: Tx,
  deps: Pick<Deps, 'secrets'>,
  { userId }: StaffActor,
  { phoneDigest, field, now }: { phoneDigest: string | null; field: string; now: Date },
): Promise<void> {
  await requireRoom(tx, userId, now);
  if (phoneDigest !== null && (await ownDigests(tx, deps, userId)).has(phoneDigest))
    throw ownPhone(field);
}

/** Throws `validation` unless the body names exactly one client, who is not the user. */
async function clientToGrant(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  { clientId, clientPhone, connectionId }: NewCompensation,
  ofReward: number | null,
): Promise<string> {
  if ((clientId === undefined) === (clientPhone === undefined))
    throw invalidField('clientPhone', 'required', 'Name either `clientId` or `clientPhone`.');
  const own = await ownDigests(tx, deps, actor.userId);
  if (clientId !== undefined) {
    const client = await tx.db
      .selectFrom('compensation_client')
      .select(['phoneDigest', 'erpCustomerId', 'connectionId'])
      .where('id', '=', clientId.toLowerCase())
      // Prevents erasure before the right is stored.
      .forKeyShare()
      .executeTakeFirst();

    // An erased client cannot use gifts.
    const isForgotten = client?.phoneDigest === null && client.erpCustomerId === null;
    if (client === undefined || isForgotten)
      throw invalidField('clientId', 'not_found', 'There is no such client.');
    if (client.phoneDigest !== null && own.has(client.phoneDigest)) throw ownPhone('clientId');
    if (ofReward !== null && ofReward !== client.connectionId)
      throw invalidField(
        'rewardId',
        'invalid',
        'The gift belongs to another account of the ERP than the client.',
      );

    return clientId.toLowerCase();
  }

  const phone = normalPhone(clientPhone!);
  if (phone === null)
    throw invalidField(
      'clientPhone',
      'format',
      'must be a phone with its country: +7 999 000 11 22',
    );

  if (phoneDigests(deps, phone).some((digest) => own.has(digest))) throw ownPhone('clientPhone');

  return ensureClient(tx, deps, {
    connectionId: await chooseConnection(tx, connectionId, ofReward),
    phone,
  });
}

const ownPhone = (field: string) =>
  invalidField(field, 'own_phone', 'Users cannot grant gifts to their own phone.');

async function ownDigests(
  { db }: Tx,
  deps: Pick<Deps, 'secrets'>,
  userId: number,
): Promise<ReadonlySet<string>> {
  const user = await db
    .selectFrom('access_user')
    .select('phone')
    .where('id', '=', userId)
    .executeTakeFirst();

  return new Set(user?.phone == null ? [] : phoneDigests(deps, user.phone));
}

/** Returns the connection of the reward or of the request, or the only connection. */
async function chooseConnection(
  { db }: Tx,
  named: number | undefined,
  ofReward: number | null,
): Promise<number> {
  const active = await db
    .selectFrom('connection')
    .select('id')
    .where('status', '=', 'ACTIVE')
    .execute();

  const connectionId = named ?? ofReward ?? (active.length === 1 ? active[0]!.id : null);
  if (connectionId === null)
    throw invalidField(
      'connectionId',
      'required',
      'There are several accounts of the ERP. Name the one in which the client orders.',
    );

  if (ofReward !== null && connectionId !== ofReward)
    throw invalidField(
      'connectionId',
      'invalid',
      'The gift belongs to an organization of another account.',
    );

  if (!active.some((entry) => entry.id === connectionId))
    throw invalidField('connectionId', 'not_found', 'There is no such active connection.');

  return connectionId;
}
