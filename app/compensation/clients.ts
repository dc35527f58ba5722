import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { anyOf, type Sql } from '../../db/database.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { erasePersonal, keepPersonal } from '../clients/personal-data.ts';
import { PHONE_DIGEST_PURPOSE } from './purposes.ts';

type Deps = { secrets: SecretBox };

/**
 * Who a client is (rule CMP-5): an account of the ERP, and there the ERP's id of the customer or a phone. The phone is one that the provider of
 * customers, the ERP or a member of staff vouches for, in the form of `normalPhone`; never one that a guest has typed.
 */
export type ClientKeys = { connectionId: number; erpCustomerId?: string | undefined; phone?: string | undefined };

/** What the digest of a phone may be, whichever of the configured keys it was made with. */
export const phoneDigests = ({ secrets }: Deps, phone: string): string[] =>
  secrets.digests(PHONE_DIGEST_PURPOSE, phone);

type ClientRow = { id: string; erpCustomerId: string | null; phoneDigest: string | null };

/** The clients that these keys name, the one with this id of the ERP first: none, one, or two that nobody has found to be one yet. */
export async function findClients({ db }: Sql, deps: Deps, keys: ClientKeys): Promise<ClientRow[]> {
  const digests = keys.phone === undefined ? [] : phoneDigests(deps, keys.phone);
  const isNamed = sql<boolean>`erp_customer_id = ${keys.erpCustomerId ?? null}::uuid`;
  return db
    .selectFrom('compensation_client')
    .select(['id', 'erpCustomerId', 'phoneDigest'])
    .where('connectionId', '=', keys.connectionId)
    .where((eb) => eb('phoneDigest', '=', anyOf(digests, 'text')).or(isNamed))
    .orderBy(sql`${isNamed} is true`, 'desc')
    .execute();
}

/** Somebody else may make the client, or forget its phone, between our look and what we do; then the next look finds what is so now. */
const TRIES = 3;

/**
 * The one client that these keys name, made when nobody is known by them; what is known of the client is completed. Two clients that turn out
 * to be one become one: all rights go to the one that the ERP knows by an id. A phone that the ERP has given to another customer stays with
 * that one. Call it in a transaction that does not insist on one state.
 */
export async function clientOf(tx: Sql, deps: Deps, keys: ClientKeys): Promise<string> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const [known, other] = await findClients(tx, deps, keys);
    const isOther =
      known !== undefined &&
      known.erpCustomerId !== null &&
      keys.erpCustomerId !== undefined &&
      known.erpCustomerId !== keys.erpCustomerId;
    if (known === undefined || isOther) {
      const made = await makeClient(tx, deps, isOther ? { ...keys, phone: undefined } : keys);
      if (made !== null) return made;
      continue;
    }
    if (!(await holdPhone(tx, known))) continue;
    if (other !== undefined && other.erpCustomerId === null) await mergeClients(tx, known.id, other.id);
    await completeClient(tx, deps, known, other?.erpCustomerId == null ? keys : { ...keys, phone: undefined });
    return known.id;
  }
  throw new Error('A client is made and gone again and again');
}

/**
 * Keeps the phone of a client from being forgotten until the end of the transaction; false when it was forgotten since we looked, or is another one
 * (rule CLI-7). Whoever else wants the client goes on.
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

/** Whoever grants the other one a right at this moment makes the deletion fail, and the work that needed it is done again. */
async function mergeClients(tx: Sql, known: string, other: string): Promise<void> {
  await tx.db.updateTable('compensation').set({ clientId: known }).where('clientId', '=', other).execute();
  await tx.db.updateTable('unauthorized_gift').set({ clientId: known }).where('clientId', '=', other).execute();
  const { personalDataId } = await tx.db
    .deleteFrom('compensation_client')
    .where('id', '=', other)
    .returning('personalDataId')
    .executeTakeFirstOrThrow();
  if (personalDataId !== null) await erasePersonal(tx, [personalDataId]);
}

async function completeClient(
  tx: Sql,
  deps: Deps,
  known: ClientRow,
  { erpCustomerId, phone }: ClientKeys,
): Promise<void> {
  const lacksPhone = phone !== undefined && known.phoneDigest === null;
  const lacksId = erpCustomerId !== undefined && known.erpCustomerId === null;
  if (!lacksPhone && !lacksId) return;
  await tx.db
    .updateTable('compensation_client')
    .set({
      ...(lacksId ? { erpCustomerId } : {}),
      ...(lacksPhone ? await phoneColumns(tx, deps, phone) : {}),
    })
    .where('id', '=', known.id)
    .execute();
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

async function phoneColumns(tx: Sql, deps: Deps, phone: string) {
  return {
    phoneDigest: deps.secrets.digest(PHONE_DIGEST_PURPOSE, phone),
    personalDataId: await keepPersonal(tx, deps, 'CLIENT', { phone }),
  };
}
