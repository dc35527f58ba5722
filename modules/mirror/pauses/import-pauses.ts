import { sql } from 'kysely';
import type { ImportPause, NewPause } from '../schemas/mirror.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { appendOutbox } from '../../../kernel/outbox.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { selectAuthor } from '../../access/authors.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { holdConnection } from '../../connections/connection-view.ts';
import { withConstraintProblems } from '../../../kernel/constraint-problems.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { IN_FORCE } from './is-paused.ts';

const pauses = ({ db }: Sql) =>
  db
    .selectFrom('import_pause as pause')
    .leftJoin('mirror_external_menu as menu', 'menu.id', 'pause.externalMenuId')
    .select([
      'pause.id',
      'pause.connectionId',
      'pause.job',
      'pause.externalMenuId',
      'menu.erpId as externalMenuErpId',
      'pause.reason',
      'pause.until',
      selectAuthor('pause.createdBy').as('createdBy'),
      'pause.createdAt',
      selectAuthor('pause.endedBy').as('endedBy'),
      sql<Date | null>`coalesce(pause.ended_at, case when pause.until <= now() then pause.until end)`.as(
        'endedAt',
      ),
    ]);

/** Returns one page of pauses, newest first: active ones, or all. */
export function listImportPauses(
  db: Sql,
  input: Paging & { all: boolean },
): Promise<Page<ImportPause>> {
  const all = pauses(db).orderBy('pause.id', 'desc');
  return readPage(input.all ? all : all.where(IN_FORCE), input);
}

/**
 * Pauses an import: only manual runs start it then. Problems: not-found (connection), validation
 * (menu, reason, a time in the past), duplicate if already paused.
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
    db.transaction((tx) =>
      once(tx, idempotency, () => pauseInTransaction(tx, actor, { ...input, reason })),
    ),
  );
}

async function pauseInTransaction(tx: Tx, actor: Actor, input: NewPause): Promise<ImportPause> {
  await holdConnection(tx, input.connectionId, undefined);
  const menuId = await findMenu(tx, input);
  const { connectionId, job } = input;
  await tx.db
    .updateTable('import_pause')
    .set((eb) => ({ endedAt: eb.ref('until') }))
    .where('connectionId', '=', connectionId)
    .where('job', '=', job)
    .where('externalMenuId', 'is not distinct from', menuId)
    .where('endedAt', 'is', null)
    .where('until', '<=', sql<Date>`now()`)
    .execute();

  const created = await tx.db
    .insertInto('import_pause')
    .values({
      connectionId,
      job,
      externalMenuId: menuId,
      reason: input.reason,
      until: input.until === undefined ? null : new Date(input.until),
      createdBy: actor.type === 'USER' ? actor.userId : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

  const pause = await readPause(tx, created.id);
  const { id: entityId, externalMenuId, until } = pause;
  const after = { connectionId, job, externalMenuId, until };
  await recordAudit(tx, actor, {
    entityType: 'import-pause',
    entityId,
    action: 'create',
    after,
    reason: input.reason,
  });

  await appendOutbox(tx, 'ImportPausesChanged', { connectionId });

  return pause;
}

/** Ends a pause. Idempotent. Problem: not-found. */
export async function endImportPause(
  { db }: { db: Database },
  actor: Actor,
  id: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const pause = await readPause(tx, id);
    if (pause.endedAt !== null) return;
    await tx.db
      .updateTable('import_pause')
      .set({ endedAt: sql`now()`, endedBy: actor.type === 'USER' ? actor.userId : null })
      .where('id', '=', id)
      .execute();

    await recordAudit(tx, actor, { entityType: 'import-pause', entityId: id, action: 'end' });
    await appendOutbox(tx, 'ImportPausesChanged', {
      connectionId: pause.connectionId,
      ended: pause.job,
    });
  });
}

function readPause(tx: Sql, id: number): Promise<ImportPause> {
  return pauses(tx)
    .where('pause.id', '=', id)
    .forUpdate('pause')
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such pause' }));
}

async function findMenu(
  tx: Sql,
  { job, externalMenuId, connectionId }: NewPause,
): Promise<number | null> {
  if (externalMenuId === undefined) return null;
  if (job !== 'MENU')
    throw invalidField('externalMenuId', 'not_supported', 'Only MENU is imported by menu');
  const menu = await tx.db
    .selectFrom('mirror_external_menu')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('id', '=', externalMenuId)
    .executeTakeFirst();
  if (menu === undefined)
    throw invalidField('externalMenuId', 'not_found', 'No such external menu of this connection');

  return menu.id;
}
