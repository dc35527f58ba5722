import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { appendOutboxRows } from '../../kernel/outbox.ts';

/**
 * Has the markers of rights that were just redeemed wait until they are taken away at the ERP, and starts that after the commit (rule
 * CMP-13). It belongs to the transaction that redeems them, however that came about. A marker that was not there at the last look waits
 * too: it may have come back since. Rights without a marker have nothing to wait for. A right is redeemed once, so it waits once.
 */
export async function awaitClearing(tx: Sql, redeemed: readonly string[], at: Date): Promise<void> {
  if (redeemed.length === 0) return;
  const { rows } = await sql<Row<'client_marker', 'clientId' | 'source'>>`
    with waiting as (
      insert into marker_clearing (compensation_id, waits_since)
      select compensation_id, ${at}::timestamptz from client_marker where compensation_id = any (${[...redeemed]}::uuid[])
      returning compensation_id)
    select distinct client_id, source from waiting join client_marker using (compensation_id)`.execute(tx.db);
  await appendOutboxRows(tx, 'MarkersWait', rows);
}
