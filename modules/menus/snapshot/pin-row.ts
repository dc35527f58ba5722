import { selectAuthor } from '../../access/authors.ts';
import type { WithDates } from '../../../kernel/pure/schemas.ts';
import type { MenuPin } from '../schemas/snapshot.ts';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Sql } from '../../../platform/db/database.ts';
import type { PinnedContent } from '../rules/snapshot/pinned-content.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export type Pin = WithDates<MenuPin>;

/** Reads the active pin. For decisions, the caller must have locked the snapshot. */
export function readPin({ db }: Sql, organizationId: number): Promise<Pin | undefined> {
  return db
    .selectFrom('snapshot_pin')
    .select([
      'id',
      'revision',
      'reason',
      'until',
      'pinnedAt',
      selectAuthor('snapshot_pin.pinnedBy').as('pinnedBy'),
    ])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
}

/** A pin's foreign key guarantees that the revision exists. */
export async function readPinnedContent(
  { db }: Sql,
  organizationId: number,
  revision: number,
): Promise<PinnedContent> {
  const row = await db
    .selectFrom('snapshot_revision')
    .select('storefront')
    .where('organizationId', '=', organizationId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (row === undefined)
    throw new Error(`Revision ${revision} of organization ${organizationId} is not kept`);

  const pinnedContent = JSON.parse(
    (await decompress(row.storefront)).toString('utf8'),
  ) as PinnedContent;

  // Older revisions contain no profiles.
  return {
    ...pinnedContent,
    groupProfiles: pinnedContent.groupProfiles ?? [],
    modifierProfiles: pinnedContent.modifierProfiles ?? [],
  };
}

export async function pinnedContentBytes(storefront: PinnedContent): Promise<Buffer> {
  return compress(Buffer.from(JSON.stringify(storefront)));
}
