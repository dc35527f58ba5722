import { sql } from 'kysely';
import type { Sql } from '../../db/database.ts';
import { personalErasure } from '../clients/personal-data.ts';

const KEPT = sql<{ personalDataId: string }>`
  select personal_data_id from idle union all select personal_data_id from undecided`;

/**
 * Forgets the phones of clients, with their digests, for whom nothing has happened in so many days: no right that can still be used, no move
 * of a right, no reading of their card (rule CLI-5). What they were promised stays in the ledger, which names nobody; phrases in their
 * comments about which nobody has decided go with their text. Forgets at most
 * `limit` and returns how many; a client to whom somebody grants a gift at this moment is left to the next call.
 */
export async function forgetClients({ db }: Sql, days: number, limit: number): Promise<number> {
  const since = sql`now() - ${days}::int * interval '1 day'`;
  const { numAffectedRows = 0n } = await sql`
    with idle as (
      select client.id, client.personal_data_id from compensation_client client
       where client.phone_digest is not null and client.created_at < ${since}
         and not exists (
           select from compensation held where held.client_id = client.id and held.status in ('GRANTED', 'RESERVED', 'BLOCKED'))
         and not exists (
           select from compensation held join compensation_move move on move.compensation_id = held.id
            where held.client_id = client.id and move.at >= ${since})
         and not exists (select from client_card card where card.client_id = client.id and card.read_at >= ${since})
       limit ${limit} for update of client skip locked),
    undecided as (
      delete from compensation_candidate candidate using idle
       where candidate.client_id = idle.id and candidate.status = 'OPEN' returning candidate.personal_data_id),
    erased as (${personalErasure(db, KEPT)})
    update compensation_client set phone_digest = null, personal_data_id = null from idle where compensation_client.id = idle.id`.execute(
    db,
  );
  return Number(numAffectedRows);
}
