import type { Revision } from '../schemas/snapshot.ts';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { touchedBy, type Sql } from '../../../platform/db/database.ts';
import { diffMenus, type MenuDiff, type PublishedMenu } from '../rules/snapshot/diff-menus.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { readSettings } from '../../settings/read-settings.ts';

const decompress = promisify(brotliDecompress);

/** As published, without later stops. */
export type RevisionDetail = Revision & { menu: PublishedMenu };

/** A deleted user has no name. */
const CAUSES = sql<Revision['causes']>`coalesce((
  select json_agg(json_build_object('source', cause.value ->> 'source', 'at', cause.value ->> 'at',
           'author', case when cause.value ->> 'userId' is not null then json_build_object(
             'id', (cause.value ->> 'userId')::bigint, 'name', author.full_name) end) order by cause.at)
    from jsonb_array_elements(kept.causes) with ordinality as cause (value, at)
    left join access_user author on author.id = (cause.value ->> 'userId')::bigint), '[]')`;

const selectRevisions = ({ db }: Sql, organizationId: number) =>
  db
    .selectFrom('snapshot_revision as kept')
    .leftJoin('snapshot_pin as pin', (join) =>
      join
        .onRef('pin.organizationId', '=', 'kept.organizationId')
        .onRef('pin.revision', '=', 'kept.revision'),
    )
    .select([
      'kept.revision',
      'kept.publishedAt',
      'kept.supersededAt',
      'kept.restoredFrom',
      'kept.productCount',
      'kept.bytes',
      sql<boolean>`pin.id is not null`.as('isPinned'),
      CAUSES.as('causes'),
    ])
    .where('kept.organizationId', '=', organizationId);

export async function listRevisions(
  tx: Sql,
  organizationId: number,
  paging: Paging,
): Promise<Page<Revision>> {
  await requireOrganization(tx, organizationId);
  return readPage(selectRevisions(tx, organizationId).orderBy('kept.revision', 'desc'), paging);
}

export async function getRevision(
  tx: Sql,
  organizationId: number,
  revision: number,
): Promise<RevisionDetail> {
  const row = await selectRevisions(tx, organizationId)
    .select('kept.menuBr')
    .where('kept.revision', '=', revision)
    .executeTakeFirst();
  if (row === undefined) throw revisionNotFound(revision);

  const { menuBr, ...view } = row;

  return {
    ...view,
    menu: JSON.parse((await decompress(menuBr)).toString('utf8')) as PublishedMenu,
  };
}

/** Compares revisions, by default with the served menu. Problem `not-found`. */
export async function diffRevisions(
  tx: Sql,
  organizationId: number,
  { from, to }: { from: number; to?: number | undefined },
): Promise<{ from: number; to: number } & MenuDiff> {
  const later = to ?? (await currentRevision(tx, organizationId));
  const [before, after] = await Promise.all([
    getRevision(tx, organizationId, from),
    getRevision(tx, organizationId, later),
  ]);

  return { from, to: later, ...diffMenus(before.menu, after.menu) };
}

export function revisionNotFound(revision: number): Problem {
  return new Problem('not-found', {
    detail: `Revision ${revision} of this restaurant is not kept.`,
  });
}

/** Throws `not-found` for an unknown organization. */
export async function requireOrganization({ db }: Sql, organizationId: number): Promise<void> {
  const organization = await db
    .selectFrom('mirror_organization')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (organization === undefined)
    throw new Problem('not-found', { detail: 'No such organization.' });
}

async function currentRevision({ db }: Sql, organizationId: number): Promise<number> {
  const row = await db
    .selectFrom('snapshot')
    .select('revision')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined)
    throw new Problem('not-found', { detail: 'Nothing is published for this restaurant.' });

  return row.revision;
}

/**
 * Deletes at most `limit` revisions that were superseded more than `snapshot.revision_days` ago.
 * Served and pinned revisions stay.
 */
export async function deleteOldRevisions(tx: Sql, limit: number): Promise<number> {
  const { 'snapshot.revision_days': days } = await readSettings(tx, 'snapshot.revision_days');
  const deleted = await sql`
    delete from snapshot_revision where ctid in (
      select kept.ctid from snapshot_revision kept
       where kept.superseded_at < now() - ${days} * interval '1 day'
         and not exists (select 1 from snapshot_pin pin
                          where pin.organization_id = kept.organization_id and pin.revision = kept.revision)
       order by kept.superseded_at limit ${limit} for update skip locked)`.execute(tx.db);

  return touchedBy(deleted);
}
