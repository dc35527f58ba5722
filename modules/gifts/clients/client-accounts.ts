import { sql } from 'kysely';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { readPersonal } from '../../access/customers/personal-data.ts';
import type { ClientAccount } from '../schemas/clients.ts';
import { phoneDigests } from './clients.ts';

type Deps = { secrets: SecretBox };

/** `phone` is null if not stored. */
export type Person = { phone: string | null; accounts: ClientAccount[] };

export async function personOfPhone(from: Sql, deps: Deps, phone: string): Promise<Person> {
  const accounts = await readAccounts(
    from,
    sql`client.phone_digest = ${anyOf(phoneDigests(deps, phone), 'text')}`,
  );

  return { phone, accounts };
}

/** Also returns clients with the same phone. Null if the client does not exist. */
export async function personOfClient(from: Sql, deps: Deps, id: string): Promise<Person | null> {
  const client = await from.db
    .selectFrom('compensation_client')
    .select('personalDataId')
    .where('id', '=', id)
    .executeTakeFirst();
  if (client === undefined) return null;

  const ids = client.personalDataId === null ? [] : [client.personalDataId];
  const [personal] = (await readPersonal<{ phone: string }>(from, deps, ids)).values();
  if (personal !== undefined) return personOfPhone(from, deps, personal.phone);

  return { phone: null, accounts: await readAccounts(from, sql`client.id = ${id}::uuid`) };
}

/** Null until the card was read. */
const CARD = sql<ClientAccount['card']>`case when card.client_id is not null then json_build_object(
  'readAt', card.read_at, 'damaged', card.damaged, 'unknown', card.unknown, 'withoutReward', card.without_reward,
  'markers', coalesce((
    select json_agg(json_build_object('source', marker.source, 'isPresent', marker.is_present, 'seenAt', marker.seen_at,
             'goneAt', marker.gone_at, 'compensationId', marker.compensation_id) order by marker.seen_at desc, marker.subject)
      from client_marker marker where marker.client_id = client.id), '[]')) end`;

function readAccounts({ db }: Sql, condition: ReturnType<typeof sql>): Promise<ClientAccount[]> {
  return db
    .selectFrom('compensation_client as client')
    .innerJoin('connection', 'connection.id', 'client.connectionId')
    .leftJoin('client_card as card', 'card.clientId', 'client.id')
    .select(['client.id', 'client.connectionId', 'connection.name as connectionName'])
    .select(['client.erpCustomerId', 'client.createdAt', CARD.as('card')])
    .where(sql<boolean>`${condition}`)
    .orderBy('client.createdAt')
    .orderBy('client.id')
    .execute();
}
