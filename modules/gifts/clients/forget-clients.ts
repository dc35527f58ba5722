import { sql, type RawBuilder } from 'kysely';
import { Problem, invalidField } from '../../../kernel/problem.ts';
import {
  anyOf,
  type Sql,
  type Statements,
  type Database,
  type Tx,
} from '../../../platform/db/database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import type { Row } from '../../../platform/db/row.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { personalErasure } from '../../access/customers/personal-data.ts';
import { keepReason } from '../../access/customers/staff-reasons.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { reasonsAbout } from './client-records.ts';
import { phoneDigests } from './clients.ts';

/**
 * Erases phones and staff texts of at most `limit` clients inactive for `days` (rules CLI-5,
 * CMP-109), but not the ledger. Clients with a concurrent grant are skipped.
 */
export async function forgetClients({ db }: Sql, days: number, limit: number): Promise<number> {
  const since = sql`now() - ${days}::int * interval '1 day'`;
  const { numAffectedRows = 0n } = await erasure(
    db,
    sql`
      select client.id, client.personal_data_id from compensation_client client
       where client.phone_digest is not null and client.created_at < ${since}
         and not exists (
           select from compensation held where held.client_id = client.id and held.status in ('GRANTED', 'RESERVED', 'BLOCKED'))
         and not exists (
           select from compensation held join compensation_move move on move.compensation_id = held.id
            where held.client_id = client.id and move.at >= ${since})
         and not exists (select from client_card card where card.client_id = client.id and card.read_at >= ${since})
       limit ${limit} for update of client skip locked`,
  ).execute(db);

  return Number(numAffectedRows);
}

/**
 * Erases a phone in all accounts (rule CLI-6) and returns client ids. `alsoForget` erases the phone
 * in other modules in the same transaction. Orders are erased separately. Problems: validation,
 * compensation-taken (a reserved gift).
 */
export async function forgetPhone(
  { db, secrets }: { db: Database; secrets: SecretBox },
  actor: Actor,
  input: { phone: string; reason: string },
  alsoForget: (tx: Tx, of: { digests: readonly string[]; reasonId: string }) => Promise<void>,
): Promise<string[]> {
  const { reason } = requiredTexts({ reason: input.reason }, { reason: 500 }, 'words');
  const phone = normalPhone(input.phone);
  if (phone === null)
    throw invalidField('phone', 'format', 'must be a phone with its country: +7 999 000 11 22');
  const digests = phoneDigests({ secrets }, phone);

  return retryConflicts(() =>
    db.transaction(async (tx) => {
      const reasonId = await keepReason(tx, { secrets }, reason);
      await alsoForget(tx, { digests, reasonId });
      const clients = await tx.db
        .selectFrom('compensation_client')
        .select(['id', 'connectionId'])
        .where('phoneDigest', '=', anyOf(digests, 'text'))
        .orderBy('id')
        .forUpdate()
        .execute();

      const ids = clients.map(({ id }) => id);
      await requireNoneReserved(tx, ids);
      await erasure(
        tx.db,
        sql`select id, personal_data_id from compensation_client where id = ${anyOf(ids, 'uuid')}`,
      ).execute(tx.db);

      for (const { id, connectionId } of clients)
        await recordAudit(tx, actor, {
          entityType: 'compensation-client',
          entityId: id,
          action: 'forget',
          before: { connectionId },
          reasonId,
        });

      return ids;
    }),
  );
}

/** Also locks these clients' rights until the transaction ends. */
async function requireNoneReserved({ db }: Tx, clientIds: readonly string[]): Promise<void> {
  const open = await db
    .selectFrom('compensation')
    .select(['status', 'reservedOrderId'])
    .where('clientId', '=', anyOf(clientIds, 'uuid'))
    .where('status', 'in', ['GRANTED', 'RESERVED', 'BLOCKED'])
    .orderBy('id')
    .forUpdate()
    .execute();

  const reserved = open.find(({ status }) => status === 'RESERVED');
  if (reserved !== undefined)
    throw new Problem('compensation-taken', {
      detail:
        'An active order of the client has a gift. Forget the client after the order has ended.',
      extra: { orderId: reserved.reservedOrderId },
    });
}

/** Also erases undecided phrases and staff texts. */
function erasure(db: Statements, chosen: RawBuilder<unknown>): RawBuilder<unknown> {
  const personalIds = sql<Row<'compensation_candidate', 'personalDataId'>>`
    select personal_data_id from chosen union all select personal_data_id from undecided
    union all ${reasonsAbout(sql`select id from chosen`)}`;
  return sql`
    with chosen as (${chosen}),
    undecided as (
      delete from compensation_candidate candidate using chosen
       where candidate.client_id = chosen.id and candidate.status = 'OPEN' returning candidate.personal_data_id),
    erased as (${personalErasure(db, personalIds)})
    update compensation_client set phone_digest = null, personal_data_id = null from chosen where compensation_client.id = chosen.id`;
}
