import { sql, type RawBuilder } from 'kysely';

/**
 * A table about clients of gifts. `reasons` refer to words of staff in `personal_data`, `pieces` to
 * pieces of comments. A table without `client_id` belongs to a right.
 */
type ClientTable = {
  readonly table: string;
  readonly of: 'client_id' | 'compensation_id';
  readonly reasons: readonly string[];
  readonly pieces: readonly string[];
};

/**
 * Tables about clients: what an erasure deletes and an export for a person contains (rules CLI-6,
 * CLI-8).
 */
export const CLIENT_TABLES: readonly ClientTable[] = [
  { table: 'compensation', of: 'client_id', reasons: ['reason_comment_id'], pieces: [] },
  { table: 'compensation_move', of: 'compensation_id', reasons: ['reason_id'], pieces: [] },
  { table: 'compensation_conflict', of: 'client_id', reasons: ['reason_id'], pieces: [] },
  { table: 'compensation_candidate', of: 'client_id', reasons: ['reason_id'], pieces: ['personal_data_id'] },
  { table: 'unauthorized_gift', of: 'client_id', reasons: ['reason_id'], pieces: [] },
  { table: 'client_card', of: 'client_id', reasons: [], pieces: [] },
  { table: 'client_marker', of: 'client_id', reasons: [], pieces: [] },
  { table: 'client_history', of: 'client_id', reasons: [], pieces: [] },
];

/** The condition that a row of a table belongs to one of the clients that a query names. */
export const belongsTo = ({ of }: ClientTable, clientIds: RawBuilder<unknown>): RawBuilder<boolean> =>
  of === 'client_id'
    ? sql`client_id in (${clientIds})`
    : sql`compensation_id in (select id from compensation where client_id in (${clientIds}))`;

/** Ids of the words of staff about the clients that a query names. */
export const reasonsAbout = (clientIds: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(
    CLIENT_TABLES.flatMap((table) =>
      table.reasons.map(
        (column) => sql`select ${sql.ref(column)} from ${sql.table(table.table)} where ${belongsTo(table, clientIds)}`,
      ),
    ),
    sql` union all `,
  );
