import type {
  ScheduleException,
  ScheduleExceptionEdit,
  NewScheduleException,
} from '../schemas/hours.ts';
import { Problem } from '../../../kernel/problem.ts';
import { ScheduleException as Entity } from '../tables/delivery.ts';
import { scheduleExceptionErrors } from '../rules/exception-rules.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { createRow, deleteRow, editRow } from '../../access/audit/audited-rows.ts';
import { commitOrderingEdit, requireOrganization, parseMoment } from './commit-edit.ts';

export const EXCEPTION_COLUMNS = [
  'id',
  'organizationId',
  'kind',
  'channel',
  'date',
  'windows',
  'startsAt as from',
  'endsAt as to',
  'reason',
  'createdAt',
  'updatedAt',
  'version',
] as const;

const MISSING = 'No such exception.';

export const EXCEPTION = {
  entity: Entity,
  entityType: 'schedule-exception',
  missing: MISSING,
} as const;

export async function listExceptions(
  sql: Sql,
  organizationId: number,
  paging: Paging,
): Promise<Page<ScheduleException>> {
  await requireOrganization(sql, organizationId);
  const all = sql.db
    .selectFrom('schedule_exception')
    .select(EXCEPTION_COLUMNS)
    .where('organizationId', '=', organizationId)
    .orderBy((eb) => eb.fn.coalesce('startsAt', eb.cast('date', 'timestamptz')), 'desc')
    .orderBy('id', 'desc');

  return readPage(all, paging);
}

function getException({ db }: Sql, id: number): Promise<ScheduleException> {
  return db
    .selectFrom('schedule_exception')
    .select(EXCEPTION_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: MISSING }));
}

/** Creates an exception. Problems: not-found, validation (FUL-14), duplicate (date and channel). */
export function createException(
  deps: { db: Database },
  actor: Actor,
  organizationId: number,
  input: NewScheduleException,
  idempotency: Idempotency | null,
): Promise<ScheduleException> {
  const row = exceptionRow(input);
  return commitOrderingEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      await requireOrganization(tx, organizationId);
      return getException(tx, await createRow(tx, actor, EXCEPTION, { organizationId, ...row }));
    }),
  );
}

/** Converts a request to a row. Problem `validation` (FUL-14). */
export function exceptionRow(
  input: NewScheduleException,
): Omit<Row, 'reason'> & { reason: string | null } {
  const row = { ...EMPTY, ...toColumns(input), kind: input.kind };
  requireValid(row);
  return row;
}

/** Changes an exception. Problems: not-found, version-conflict, validation, duplicate. */
export function editException(
  deps: { db: Database },
  actor: Actor,
  id: number,
  { version, ...edit }: ScheduleExceptionEdit,
): Promise<ScheduleException> {
  return commitOrderingEdit(deps, async (tx) => {
    await editRow(tx, actor, EXCEPTION, {
      id,
      version,
      fields: toColumns(edit),
      check: requireValid,
    });

    return getException(tx, id);
  });
}

export function deleteException(deps: { db: Database }, actor: Actor, id: number): Promise<void> {
  return commitOrderingEdit(deps, (tx) => deleteRow(tx, actor, EXCEPTION, id));
}

const EMPTY = {
  channel: null,
  date: null,
  windows: [],
  startsAt: null,
  endsAt: null,
  reason: null,
};

function toColumns({ from, to, reason, ...same }: Omit<ScheduleExceptionEdit, 'version'>) {
  const { channel, date, windows } = same;
  return omitUndefined({
    channel,
    date,
    windows,
    startsAt: parseMoment(from),
    endsAt: parseMoment(to),
    reason: reason == null ? reason : reason.trim() === '' ? null : reason.trim(),
  });
}

type Row = Pick<ScheduleException, 'kind' | 'channel' | 'date' | 'windows'> & {
  startsAt: Date | null;
  endsAt: Date | null;
};

function requireValid({ kind, channel, date, windows, startsAt, endsAt }: Row): void {
  const [from, to] = [startsAt?.getTime() ?? null, endsAt?.getTime() ?? null];
  const errors = scheduleExceptionErrors({ kind, channel, date, windows, from, to });
  if (errors.length > 0) throw new Problem('validation', { errors });
}
