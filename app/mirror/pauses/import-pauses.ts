import type { ImportPause } from '../../../contracts/mirror.ts';
import type { Job } from '../../../contracts/jobs.ts';
import { invalidField, Problem } from '../../../contracts/problem.ts';
import { appendOutbox } from '../../../db/outbox.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { holdConnection } from '../../connections/connection-view.ts';
import { withConstraintProblems } from '../../constraint-problems.ts';
import type { Database, Sql, Tx } from '../../database.ts';
import { once, type Idempotency } from '../../idempotency.ts';
import { readPageOfText, type Page, type Paging } from '../../pages.ts';
import { requiredTexts } from '../../required-texts.ts';

export type NewPause = {
  connectionId: number;
  job: Job;
  externalMenuId?: string | undefined;
  reason: string;
  until?: string | undefined;
};

const COLUMNS = `pause.id, pause.connection_id as "connectionId", pause.job, menu.erp_id as "externalMenuId", pause.reason, pause.until,
  pause.created_by as "createdBy", pause.created_at as "createdAt", pause.ended_by as "endedBy",
  coalesce(pause.ended_at, case when pause.until <= now() then pause.until end) as "endedAt"`;
const TABLES = 'import_pause pause left join mirror_external_menu menu on menu.id = pause.external_menu_id';

/** One page of pauses, newest first: those in force, or all of them. */
export function listImportPauses(db: Sql, input: Paging & { all: boolean }): Promise<Page<ImportPause>> {
  return readPageOfText(db, input, {
    columns: COLUMNS,
    from: `${TABLES} where $1::boolean or (pause.ended_at is null and (pause.until is null or pause.until > now()))`,
    order: 'pause.id desc',
    params: [input.all],
  });
}

/**
 * Pauses an import: schedules, webhooks and reconcilers start it no more, and the schedule shows the reason. A run at work goes on,
 * and a run started by hand is not held up. Problems: not-found (connection), validation (menu, reason, a moment that is over),
 * duplicate when it is paused already.
 */
export async function pauseImport(
  { db }: { db: Database },
  actor: Actor,
  input: NewPause,
  idempotency: Idempotency | null = null,
): Promise<ImportPause> {
  const { reason } = requiredTexts({ reason: input.reason }, { reason: 500 }, 'words');
  if (input.until !== undefined && Date.parse(input.until) <= Date.now())
    throw invalidField('until', 'min', 'Must be in the future');
  return withConstraintProblems(() =>
    db.transaction((tx) => once(tx, idempotency, () => pauseInTransaction(tx, actor, { ...input, reason }))),
  );
}

async function pauseInTransaction(tx: Tx, actor: Actor, input: NewPause): Promise<ImportPause> {
  await holdConnection(tx, input.connectionId, undefined);
  const menuId = await menuOf(tx, input);
  const import_ = [input.connectionId, input.job, menuId];
  await tx.query(
    `update import_pause set ended_at = until where connection_id = $1 and job = $2 and external_menu_id is not distinct from $3
            and ended_at is null and until <= now()`,
    import_,
  );
  const [created] = await tx.query<{ id: number }>(
    `insert into import_pause (connection_id, job, external_menu_id, reason, until, created_by)
         values ($1, $2, $3, $4, $5, $6) returning id`,
    [...import_, input.reason, input.until ?? null, actor.type === 'USER' ? actor.userId : null],
  );
  const pause = await readPause(tx, created!.id);
  const { id: entityId, externalMenuId, job, connectionId, until } = pause;
  const after = { connectionId, job, externalMenuId, until };
  await recordAudit(tx, actor, { entityType: 'import-pause', entityId, action: 'create', after, reason: input.reason });
  await appendOutbox(tx, 'ImportPausesChanged', { connectionId });
  return pause;
}

/** Ends a pause; the schedule goes on, and stop-lists that were marked meanwhile are imported at once. One that has ended stays as it is. Problem: not-found. */
export async function endImportPause({ db }: { db: Database }, actor: Actor, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const pause = await readPause(tx, id);
    if (pause.endedAt !== null) return;
    await tx.query('update import_pause set ended_at = now(), ended_by = $2 where id = $1', [
      id,
      actor.type === 'USER' ? actor.userId : null,
    ]);
    await recordAudit(tx, actor, { entityType: 'import-pause', entityId: id, action: 'end' });
    await appendOutbox(tx, 'ImportPausesChanged', { connectionId: pause.connectionId, ended: pause.job });
  });
}

async function readPause(tx: Sql, id: number): Promise<ImportPause> {
  const [pause] = await tx.query<ImportPause>(
    `select ${COLUMNS} from ${TABLES} where pause.id = $1 for update of pause`,
    [id],
  );
  if (pause === undefined) throw new Problem('not-found', { detail: 'No such pause' });
  return pause;
}

async function menuOf(tx: Sql, { job, externalMenuId, connectionId }: NewPause): Promise<number | null> {
  if (externalMenuId === undefined) return null;
  if (job !== 'MENU') throw invalidField('externalMenuId', 'not_supported', 'Only MENU is imported by menu');
  const [menu] = await tx.query<{ id: number }>(
    'select id from mirror_external_menu where connection_id = $1 and erp_id = $2',
    [connectionId, externalMenuId],
  );
  if (menu === undefined) throw invalidField('externalMenuId', 'not_found', 'No such external menu of this connection');
  return menu.id;
}
