import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { advisory } from '../../../platform/db/locks.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { erasePersonal, keepPersonal } from '../../access/customers/personal-data.ts';
import { takeHistoryOver } from './missed-history.ts';

const PHONE_DIGEST_PURPOSE = 'compensation.phone';

type Deps = { secrets: SecretBox };

/**
 * The ERP's customer id, or a phone that the identity provider, the ERP or staff have verified
 * (rule CMP-5). Never a phone typed by a guest.
 */
export type ClientKeys = {
  connectionId: number;
  erpCustomerId?: string | undefined;
  phone?: string | undefined;
};

/** Uses the current key. */
export const phoneDigest = ({ secrets }: Deps, phone: string): string =>
  secrets.digest(PHONE_DIGEST_PURPOSE, phone);

/** Uses all configured keys. */
export const phoneDigests = ({ secrets }: Deps, phone: string): string[] =>
  secrets.digests(PHONE_DIGEST_PURPOSE, phone);

type ClientRow = {
  id: string;
  erpCustomerId: string | null;
  phoneDigest: string | null;
  personalDataId: string | null;
};

/** Returns the client with the ERP id first. There are two clients if they are not merged yet. */
export async function findClients({ db }: Sql, deps: Deps, keys: ClientKeys): Promise<ClientRow[]> {
  const digests = keys.phone === undefined ? [] : phoneDigests(deps, keys.phone);
  const isNamed = sql<boolean>`erp_customer_id = ${keys.erpCustomerId ?? null}::uuid`;

  return db
    .selectFrom('compensation_client')
    .select(['id', 'erpCustomerId', 'phoneDigest', 'personalDataId'])
    .where('connectionId', '=', keys.connectionId)
    .where((eb) => eb('phoneDigest', '=', anyOf(digests, 'text')).or(isNamed))
    .orderBy(sql`${isNamed} is true`, 'desc')
    .execute();
}

/** Attempts, because concurrent transactions may create a client or reassign a phone. */
const TRIES = 4;

/**
 * Creates, completes or merges clients. The previous owner of a phone loses the phone but keeps the
 * rights (rule CMP-83). Requires READ COMMITTED.
 */
export async function ensureClient(tx: Sql, deps: Deps, keys: ClientKeys): Promise<string> {
  for (let [tries, isAlone] = [0, false]; tries < TRIES; tries += 1) {
    const clients = await findClients(tx, deps, keys);
    const existing = clients.find((client) => !isAnother(client, keys));
    const isChange =
      clients.length > 1 ||
      (existing === undefined ? clients.length > 0 : lacks(deps, existing, keys));
    if (isChange && !isAlone) {
      await advisory.clientPhones(tx, keys.connectionId);
      isAlone = true;
      continue;
    }

    for (const other of clients.filter((client) => client !== existing))
      await (other.erpCustomerId === null && existing !== undefined
        ? mergeClients(tx, existing.id, other)
        : takePhone(tx, other));

    if (existing === undefined) {
      const made = await makeClient(tx, deps, keys);
      if (made !== null) return made;
    } else if (
      await (isChange ? completeClient(tx, deps, existing, keys) : holdPhone(tx, existing))
    )
      return existing.id;
  }

  throw new Error('A client is made and gone again and again');
}

const isAnother = ({ erpCustomerId }: ClientRow, keys: ClientKeys): boolean =>
  erpCustomerId !== null &&
  keys.erpCustomerId !== undefined &&
  erpCustomerId !== keys.erpCustomerId;

const hasPhone = (deps: Deps, { phoneDigest }: ClientRow, phone: string): boolean =>
  phoneDigest !== null && phoneDigests(deps, phone).includes(phoneDigest);

const lacks = (deps: Deps, client: ClientRow, { erpCustomerId, phone }: ClientKeys): boolean =>
  (phone !== undefined && !hasPhone(deps, client, phone)) ||
  (erpCustomerId !== undefined && client.erpCustomerId === null);

/**
 * Locks the phone against erasure and reassignment. Returns false if it has changed (rule CLI-7).
 */
async function holdPhone({ db }: Sql, { id, phoneDigest }: ClientRow): Promise<boolean> {
  const client = await db
    .selectFrom('compensation_client')
    .select('id')
    .where('id', '=', id)
    .where((eb) => eb('phoneDigest', 'is not distinct from', phoneDigest))
    .forKeyShare()
    .executeTakeFirst();

  return client !== undefined;
}

/** Locks a client against erasure, so that new staff texts are erased later (rule CMP-109). */
export async function keepClient({ db }: Sql, id: string): Promise<void> {
  await db
    .selectFrom('compensation_client')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .execute();
}

/**
 * Fails if a right is granted to the other client concurrently; the transaction is then repeated.
 */
async function mergeClients(tx: Sql, known: string, other: ClientRow): Promise<void> {
  await tx.db
    .updateTable('compensation')
    .set({ clientId: known })
    .where('clientId', '=', other.id)
    .execute();

  await tx.db
    .updateTable('unauthorized_gift')
    .set({ clientId: known })
    .where('clientId', '=', other.id)
    .execute();

  await takeHistoryOver(tx, { from: other.id, to: known });
  await tx.db.deleteFrom('compensation_client').where('id', '=', other.id).execute();
  await erasePersonal(tx, listPersonalIds(other));
}

/** Skips concurrently changed rows. */
async function takePhone(tx: Sql, client: ClientRow): Promise<void> {
  const update = await tx.db
    .updateTable('compensation_client')
    .set(NO_PHONE)
    .where('id', '=', client.id)
    .where('phoneDigest', '=', client.phoneDigest)
    .executeTakeFirst();
  if (update.numUpdatedRows > 0n) await erasePersonal(tx, listPersonalIds(client));
}

const listPersonalIds = ({ personalDataId }: ClientRow): string[] =>
  personalDataId === null ? [] : [personalDataId];

/** Returns false after a concurrent change. */
async function completeClient(
  tx: Sql,
  deps: Deps,
  known: ClientRow,
  { erpCustomerId = known.erpCustomerId ?? undefined, phone }: ClientKeys,
): Promise<boolean> {
  const isNewPhone = phone !== undefined && !hasPhone(deps, known, phone);
  const columns: Partial<PhoneColumns> = isNewPhone ? await phoneColumns(tx, deps, phone) : {};
  const completed = await tx.db
    .updateTable('compensation_client')
    .set({ erpCustomerId, ...columns })
    .where('id', '=', known.id)
    .where((eb) => eb('phoneDigest', 'is not distinct from', known.phoneDigest))
    .where((eb) => eb('erpCustomerId', 'is not distinct from', known.erpCustomerId))
    .executeTakeFirst();

  const isDone = completed.numUpdatedRows > 0n;
  const former = isDone ? known.personalDataId : columns.personalDataId;
  if (isNewPhone && former != null) await erasePersonal(tx, [former]);

  return isDone;
}

/** Returns null after a concurrent insert. */
async function makeClient(
  tx: Sql,
  deps: Deps,
  { connectionId, erpCustomerId, phone }: ClientKeys,
): Promise<string | null> {
  const id = randomUUID();
  const columns = phone === undefined ? NO_PHONE : await phoneColumns(tx, deps, phone);
  const made = await tx.db
    .insertInto('compensation_client')
    .values({ id, connectionId, erpCustomerId: erpCustomerId ?? null, ...columns })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined && columns.personalDataId !== null)
    await erasePersonal(tx, [columns.personalDataId]);

  return made?.id ?? null;
}

const NO_PHONE = { phoneDigest: null, personalDataId: null };

type PhoneColumns = { phoneDigest: string; personalDataId: string };

async function phoneColumns(tx: Sql, deps: Deps, phone: string): Promise<PhoneColumns> {
  return {
    phoneDigest: phoneDigest(deps, phone),
    personalDataId: await keepPersonal(tx, deps, 'CLIENT', { phone }),
  };
}
