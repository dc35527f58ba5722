import { sql } from 'kysely';
import { touchedBy, type Sql } from '../../../platform/db/database.ts';

/** Retention period (rule ORD-104). */
export const DECISION_LIFE = '90 days';

/** Clears the previous release's column for at most `limit` orders and returns their number. */
export async function forgetFormerDecisions({ db }: Sql, limit: number): Promise<number> {
  const forgotten = await sql`
    update customer_order set decision = null
     where id in (
       select id from customer_order
        where decision is not null and accepted_at < now() - interval '${sql.raw(DECISION_LIFE)}'
        order by accepted_at limit ${limit})`.execute(db);

  return touchedBy(forgotten);
}
