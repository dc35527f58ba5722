import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import { advisory } from '../../platform/db/locks.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { erasePersonal, keepPersonal } from '../access/customers/personal-data.ts';
import { takeHistoryOver } from './missed-history.ts';

/** The purpose of the digests that find clients by their phones. */
const PHONE_DIGEST_PURPOSE = 'compensation.phone';

type Deps = { secrets: SecretBox };

/**
 * The keys of a client (rule CMP-5): an account of the ERP, and there the ERP's id of the customer
 * or a phone. The phone is one that the provider of customers, the ERP or a member of staff vouches
 * for, in the form of `normalPhone`; never one that a guest has typed.
 */
export type ClientKeys = { connectionId: number; erpCustomerId?: string | undefined; phone?: string | undefined };

/** The digest of a phone as it is written now. */
export const phoneDigest = ({ secrets }: Deps, phone: string): string => secrets.digest(PHONE_DIGEST_PURPOSE, phone);

/** Every digest that a phone may be stored with, one for each configured key. */
export const phoneDigests = ({ secrets }: Deps, phone: string): string[] =>
  secrets.digests(PHONE_DIGEST_PURPOSE, phone);

type ClientRow = {
  id: string;
  erpCustomerId: string | null;
  phoneDigest: string | null;
  personalDataId: string | null;
};

/**
 * The clients that these keys name, the one with this id of the ERP first: none, one, or two that
 * nobody has found to be one yet.
 */
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

/**
 * Somebody else may make the client, or change whose a phone is, between our look and what we do;
 * then the next look finds what is so now.
 */
const TRIES = 4;

/**
 * The one client that these keys name, made when nobody is known by them; what is known of the
 * client is completed. Two clients that turn out to be one become one: all rights go to the one
 * that the ERP knows by an id. Both keys together are what the ERP says: from then on the phone is
 * that of this customer alone, whose phone of before is forgotten, and whoever had it before keeps
 * the rights and not the phone (rule CMP-83). Call it in a transaction that does not insist on one
 * state.
 */
export async function clientOf(tx: Sql, deps: Deps, keys: ClientKeys): Promise<string> {
  for (let [tries, isAlone] = [0, false]; tries < TRIES; tries += 1) {
    const found = await findClients(tx, deps, keys);
    const known = found.find((client) => !isAnother(client, keys));
    const isChange = found.length > 1 || (known === undefined ? found.length > 0 : lacks(deps, known, keys));
    if (isChange && !isAlone) {
      await advisory.clientPhones(tx, keys.connectionId);
      isAlone = true;
      continue;
    }
    for (const other of found.filter((client) => client !== known))
      await (other.erpCustomerId === null && known !== undefined
        ? mergeClients(tx, known.id, other)
        : takePhone(tx, other));
    if (known === undefined) {
      const made = await makeClient(tx, deps, keys);
      if (made !== null) return made;
    } else if (await (isChange ? completeClient(tx, deps, known, keys) : holdPhone(tx, known))) return known.id;
  }
  throw new Error('A client is made and gone again and again');
}

/** Another customer of the ERP than the one that the keys name. */
const isAnother = ({ erpCustomerId }: ClientRow, keys: ClientKeys): boolean =>
  erpCustomerId !== null && keys.erpCustomerId !== undefined && erpCustomerId !== keys.erpCustomerId;

const hasPhone = (deps: Deps, { phoneDigest }: ClientRow, phone: string): boolean =>
  phoneDigest !== null && phoneDigests(deps, phone).includes(phoneDigest);

/** Returns whether a key of the client is new. */
const lacks = (deps: Deps, client: ClientRow, { erpCustomerId, phone }: ClientKeys): boolean =>
  (phone !== undefined && !hasPhone(deps, client, phone)) ||
  (erpCustomerId !== undefined && client.erpCustomerId === null);

/**
 * Keeps the phone of a client from being forgotten or given to another until the end of the
 * transaction; false when that has happened since we looked, or it is another one (rule CLI-7).
 * Whoever else wants the client continues.
 */
async function holdPhone({ db }: Sql, { id, phoneDigest }: ClientRow): Promise<boolean> {
  const held = await db
    .selectFrom('compensation_client')
    .select('id')
    .where('id', '=', id)
    .where((eb) => eb('phoneDigest', 'is not distinct from', phoneDigest))
    .forKeyShare()
    .executeTakeFirst();
  return held !== undefined;
}

/**
 * Prevents the client from being forgotten until the transaction ends, so that text which staff
 * write about the client meanwhile is erased afterwards (rule CMP-109).
 */
export async function keepClient({ db }: Sql, id: string): Promise<void> {
  await db.selectFrom('compensation_client').select('id').where('id', '=', id).forKeyShare().execute();
}

/**
 * Whoever grants the other one a right at this moment makes the deletion fail, and the work that
 * needed it is done again.
 */
async function mergeClients(tx: Sql, known: string, other: ClientRow): Promise<void> {
  await tx.db.updateTable('compensation').set({ clientId: known }).where('clientId', '=', other.id).execute();
  await tx.db.updateTable('unauthorized_gift').set({ clientId: known }).where('clientId', '=', other.id).execute();
  await takeHistoryOver(tx, { from: other.id, to: known });
  await tx.db.deleteFrom('compensation_client').where('id', '=', other.id).execute();
  await erasePersonal(tx, idsOf(other));
}

/**
 * The ERP says that the phone of a client is somebody else's now. What is so no more when we write
 * stays.
 */
async function takePhone(tx: Sql, client: ClientRow): Promise<void> {
  const taken = await tx.db
    .updateTable('compensation_client')
    .set(NO_PHONE)
    .where('id', '=', client.id)
    .where('phoneDigest', '=', client.phoneDigest)
    .executeTakeFirst();
  if (taken.numUpdatedRows > 0n) await erasePersonal(tx, idsOf(client));
}

const idsOf = ({ personalDataId }: ClientRow): string[] => (personalDataId === null ? [] : [personalDataId]);

/** False when the client is not what we saw any more. */
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

/** Null when somebody else has made the client at this moment. */
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
  if (made === undefined && columns.personalDataId !== null) await erasePersonal(tx, [columns.personalDataId]);
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
