import { sql, type RawBuilder } from 'kysely';

/**
 * `reasons` are columns of staff texts, `pieces` are columns of comment excerpts. A table without
 * `client_id` belongs to a right.
 */
type ClientTable = {
  readonly table: string;
  readonly of: 'client_id' | 'compensation_id';
  readonly reasons: readonly string[];
  readonly pieces: readonly string[];
};

/** Tables that erasure and export of a person include (rules CLI-6, CLI-8). */
export const CLIENT_TABLES: readonly ClientTable[] = [
  { table: 'compensation', of: 'client_id', reasons: ['reason_comment_id'], pieces: [] },
  { table: 'compensation_move', of: 'compensation_id', reasons: ['reason_id'], pieces: [] },
  { table: 'compensation_conflict', of: 'client_id', reasons: ['reason_id'], pieces: [] },
  {
    table: 'compensation_candidate',
    of: 'client_id',
    reasons: ['reason_id'],
    pieces: ['personal_data_id'],
  },
  { table: 'unauthorized_gift', of: 'client_id', reasons: ['reason_id'], pieces: [] },
  { table: 'client_card', of: 'client_id', reasons: [], pieces: [] },
  { table: 'client_marker', of: 'client_id', reasons: [], pieces: [] },
  { table: 'client_history', of: 'client_id', reasons: [], pieces: [] },
];

export const belongsTo = (
  { of }: ClientTable,
  clientIds: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  of === 'client_id'
    ? sql`client_id in (${clientIds})`
    : sql`compensation_id in (select id from compensation where client_id in (${clientIds}))`;

export const reasonsAbout = (clientIds: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(
    CLIENT_TABLES.flatMap((table) =>
      table.reasons.map(
        (column) =>
          sql`select ${sql.ref(column)} from ${sql.table(table.table)} where ${belongsTo(table, clientIds)}`,
      ),
    ),
    sql` union all `,
  );
