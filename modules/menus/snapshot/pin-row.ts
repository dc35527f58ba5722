import { authorOf } from '../../access/authors.ts';
import type { WithDates } from '../../../kernel/pure/schemas.ts';
import type { MenuPin } from '../schemas/snapshot.ts';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Sql } from '../../../platform/db/database.ts';
import type { PinnedContent } from '../rules/snapshot/pinned-content.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/**
 * The pin of one restaurant: while its row exists, menus are built from the content of that
 * revision.
 */
export type Pin = WithDates<MenuPin>;

/**
 * The pin in force, undefined when there is none. Read it under the snapshot's lock to decide by
 * it.
 */
export function readPin({ db }: Sql, organizationId: number): Promise<Pin | undefined> {
  return db
    .selectFrom('snapshot_pin')
    .select(['id', 'revision', 'reason', 'until', 'pinnedAt', authorOf('snapshot_pin.pinnedBy').as('pinnedBy')])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
}

/**
 * The storefront content of a kept revision. Throws when there is none: a pin's foreign key keeps
 * it.
 */
export async function readPinnedContent({ db }: Sql, organizationId: number, revision: number): Promise<PinnedContent> {
  const row = await db
    .selectFrom('snapshot_revision')
    .select('storefront')
    .where('organizationId', '=', organizationId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (row === undefined) throw new Error(`Revision ${revision} of organization ${organizationId} is not kept`);
  const kept = JSON.parse((await decompress(row.storefront)).toString('utf8')) as PinnedContent;
  // A version without profiles stored none.
  return { ...kept, groupProfiles: kept.groupProfiles ?? [], modifierProfiles: kept.modifierProfiles ?? [] };
}

/** The bytes in which storefront content is kept. */
export async function pinnedContentBytes(storefront: PinnedContent): Promise<Buffer> {
  return compress(Buffer.from(JSON.stringify(storefront)));
}
