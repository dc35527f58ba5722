import type { Revision } from '../../contracts/snapshot.ts';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { Problem } from '../../contracts/problem.ts';
import type { Sql } from '../../db/database.ts';
import { diffMenus, type MenuDiff, type PublishedMenu } from '../../domain/snapshot/diff-menus.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

const decompress = promisify(brotliDecompress);

/** One published revision of one restaurant. */
export type RevisionView = Revision;

/** With the answer as it was published; stops after that are not in it. */
export type RevisionDetail = RevisionView & { menu: PublishedMenu };

const COLUMNS = `kept.revision, kept.published_at as "publishedAt", kept.superseded_at as "supersededAt",
  kept.restored_from as "restoredFrom", kept.product_count as "productCount", kept.bytes, pin.id is not null as "isPinned"`;
const TABLES = `snapshot_revision kept left join snapshot_pin pin
  on pin.organization_id = kept.organization_id and pin.revision = kept.revision`;

/** One page of the kept revisions of one restaurant, newest first. Problem `not-found`. */
export async function listRevisions(sql: Sql, organizationId: number, paging: Paging): Promise<Page<RevisionView>> {
  await requireOrganization(sql, organizationId);
  return readPageOfText<RevisionView>(sql, paging, {
    columns: COLUMNS,
    from: `${TABLES} where kept.organization_id = $1`,
    order: 'kept.revision desc',
    params: [organizationId],
  });
}

/** One kept revision with its menu. Problem `not-found`. */
export async function getRevision(sql: Sql, organizationId: number, revision: number): Promise<RevisionDetail> {
  const [row] = await sql.query<RevisionView & { menuBr: Buffer }>(
    `select ${COLUMNS}, kept.menu_br as "menuBr" from ${TABLES} where kept.organization_id = $1 and kept.revision = $2`,
    [organizationId, revision],
  );
  if (row === undefined) throw revisionNotFound(revision);
  const { menuBr, ...view } = row;
  return { ...view, menu: JSON.parse((await decompress(menuBr)).toString('utf8')) as PublishedMenu };
}

/** What differs between two kept revisions, or between one and the one that is served. Problem `not-found`. */
export async function diffRevisions(
  sql: Sql,
  organizationId: number,
  { from, to }: { from: number; to?: number | undefined },
): Promise<{ from: number; to: number } & MenuDiff> {
  const later = to ?? (await currentRevision(sql, organizationId));
  const [before, after] = await Promise.all([
    getRevision(sql, organizationId, from),
    getRevision(sql, organizationId, later),
  ]);
  return { from, to: later, ...diffMenus(before.menu, after.menu) };
}

/** The refusal of a revision that never was or is kept no longer. */
export function revisionNotFound(revision: number): Problem {
  return new Problem('not-found', { detail: `Revision ${revision} of this restaurant is not kept.` });
}

/** Problem `not-found` for an organization that does not exist. */
export async function requireOrganization(sql: Sql, organizationId: number): Promise<void> {
  const rows = await sql.query('select 1 from mirror_organization where id = $1', [organizationId]);
  if (rows.length === 0) throw new Problem('not-found', { detail: 'No such organization.' });
}

async function currentRevision(sql: Sql, organizationId: number): Promise<number> {
  const [row] = await sql.query<{ revision: number }>('select revision from snapshot where organization_id = $1', [
    organizationId,
  ]);
  if (row === undefined) throw new Problem('not-found', { detail: 'Nothing is published for this restaurant.' });
  return row.revision;
}
