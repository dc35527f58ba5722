import { sql } from 'kysely';
import type { Database, Tx } from '../platform/db/database.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { keepReason } from './access/customers/staff-reasons.ts';
import { COMPENSATION_REASONS } from './gifts/rules/words.ts';

/** A column in which former releases stored texts of staff. */
type FormerColumn = {
  table: string;
  column: string;
  /** Column that refers to the text. */
  reference: string;
  /** Column with the start of the retention period. */
  since: string;
  /** A condition for texts that are not codes. */
  when?: string;
  /** Trigger that rejects changes of the table. */
  refusal?: string;
};

const CODES = COMPENSATION_REASONS.map((code) => `'${code}'`).join(', ');

const FORMER_COLUMNS: readonly FormerColumn[] = [
  {
    table: 'compensation',
    column: 'reason_comment',
    reference: 'reason_comment_id',
    since: 'granted_at',
  },
  { table: 'compensation_conflict', column: 'reason', reference: 'reason_id', since: 'closed_at' },
  { table: 'compensation_candidate', column: 'reason', reference: 'reason_id', since: 'closed_at' },
  { table: 'unauthorized_gift', column: 'reason', reference: 'reason_id', since: 'closed_at' },
  {
    table: 'gift_reconciliation',
    column: 'acceptance_reason',
    reference: 'acceptance_reason_id',
    since: 'accepted_at',
  },
  {
    table: 'compensation_move',
    column: 'reason',
    reference: 'reason_id',
    since: 'at',
    when: `(actor_type = 'USER' or move = 'GRANT') and reason not in (${CODES})`,
    refusal: 'compensation_move_append_only',
  },
];

/** Small, so that the ledger is not locked for long. */
const ROWS_PER_BATCH = 500;

/**
 * Moves texts of staff that former releases stored as plain text into `personal_data` (CMP-108) and
 * returns their number. `owner` is the role that owns the schema, because the ledger rejects
 * changes by others. `secrets` is called only if there is something to move. Repeat this after the
 * last process of a former release has stopped. The audit is not changed, because a chain of
 * digests covers it.
 */
export async function moveReasons(owner: Database, secrets: () => SecretBox): Promise<number> {
  let count = 0;

  for (const former of FORMER_COLUMNS) {
    for (;;) {
      if (!(await hasWords(owner, former))) break;
      const box = secrets();
      count += await owner.transaction((tx) => moveBatch(tx, box, former));
    }
  }

  return count;
}

const isFormer = ({ column, reference, when = 'true' }: FormerColumn) =>
  sql.raw(`${column} is not null and ${reference} is null and ${when}`);

async function hasWords({ db }: Database, former: FormerColumn): Promise<boolean> {
  const { rows } =
    await sql`select 1 from ${sql.table(former.table)} where ${isFormer(former)} limit 1`.execute(
      db,
    );

  return rows.length > 0;
}

async function moveBatch(tx: Tx, secrets: SecretBox, former: FormerColumn): Promise<number> {
  const { table, column, reference, since, refusal } = former;
  const setRefusal = async (state: 'disable' | 'enable') => {
    if (refusal !== undefined)
      await sql.raw(`alter table ${table} ${state} trigger ${refusal}`).execute(tx.db);
  };

  await setRefusal('disable');
  const { rows } = await sql<{ place: string; words: string; writtenAt: Date }>`
    select ctid::text as place, ${sql.ref(column)} as words, coalesce(${sql.ref(since)}, now()) as written_at
      from ${sql.table(table)} where ${isFormer(former)} limit ${ROWS_PER_BATCH} for update`.execute(
    tx.db,
  );

  const ids: string[] = [];
  for (const { words, writtenAt } of rows)
    ids.push(await keepReason(tx, { secrets }, words, writtenAt));
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = null, ${sql.ref(reference)} = moved.id
      from unnest(${ids}::uuid[], ${rows.map(({ place }) => place)}::tid[]) as moved (id, place)
     where ${sql.table(table)}.ctid = moved.place`.execute(tx.db);

  await setRefusal('enable');

  return rows.length;
}
