import { sql } from 'kysely';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { readPersonal } from '../../access/customers/personal-data.ts';
import { readReasons } from '../../access/customers/staff-reasons.ts';
import { belongsTo, CLIENT_TABLES } from './client-records.ts';

type Deps = { secrets: SecretBox };
/** Rows by table. Ids of texts are replaced with the texts. */
export type Records = Record<string, Record<string, unknown>[]>;
type Stored = Record<string, unknown>;

/** Returns everything stored about clients with these phone digests (rule CLI-8). */
export async function recordsOfClients(
  from: Sql,
  deps: Deps,
  digests: readonly string[],
): Promise<Records> {
  const clients = await from.db
    .selectFrom('compensation_client')
    .select(['id', 'connectionId', 'erpCustomerId', 'personalDataId', 'createdAt'])
    .where('phoneDigest', '=', anyOf(digests, 'text'))
    .orderBy('id')
    .execute();

  const ids = sql`select unnest(${clients.map(({ id }) => id)}::uuid[])`;
  const records: Records = {
    compensation_client: await withTexts(from, deps, clients, {
      reasons: [],
      pieces: ['personal_data_id'],
    }),
  };

  for (const table of CLIENT_TABLES) {
    const { rows } =
      await sql<Stored>`select * from ${sql.table(table.table)} where ${belongsTo(table, ids)}`.execute(
        from.db,
      );

    records[table.table] = await withTexts(from, deps, rows, table);
  }

  return records;
}

/** Replaces columns of text ids: `reason_id` becomes `reasonText`. */
export async function withTexts(
  from: Sql,
  deps: Deps,
  rows: readonly Stored[],
  { reasons, pieces }: { reasons: readonly string[]; pieces: readonly string[] },
): Promise<Stored[]> {
  const idsIn = (columns: readonly string[]) =>
    columns.flatMap((column) => rows.flatMap((row) => (row[camel(column)] as string | null) ?? []));
  const words = await readReasons(from, deps, idsIn(reasons));
  const personal = await readPersonal<unknown>(from, deps, idsIn(pieces));
  const texts = new Map<unknown, unknown>([...words, ...personal]);
  const replaced = new Map(
    [...reasons, ...pieces].map((column) => [camel(column), textName(column)]),
  );

  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const text = replaced.get(name);
        return text === undefined ? [name, value] : [text, texts.get(value) ?? null];
      }),
    ),
  );
}

const camel = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const textName = (column: string): string => camel(column.replace(/_id$/, '_text'));
