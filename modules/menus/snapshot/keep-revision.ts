import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import { shownMediaIds } from '../rules/snapshot/pinned-content.ts';
import type { Encoded } from './encode.ts';
import { pinnedContentBytes } from './pin-row.ts';
import type { PreparedSnapshot } from './prepare-snapshot.ts';

/**
 * Stores the new publication with its content, and marks the revision before it as superseded; in
 * the transaction of the publication, under its lock. A patch keeps nothing, because it does not
 * make a revision.
 */
export async function keepRevision(
  tx: Sql,
  prepared: PreparedSnapshot,
  revision: number,
  encoded: Encoded,
): Promise<void> {
  const { organizationId, pin, contentHash, productCount, storefront } = prepared;
  await tx.db
    .updateTable('snapshot_revision')
    .set({ supersededAt: sql`now()` })
    .where('organizationId', '=', organizationId)
    .where('supersededAt', 'is', null)
    .execute();
  await tx.db
    .insertInto('snapshot_revision')
    .values({
      organizationId,
      revision,
      restoredFrom: pin?.revision ?? null,
      contentHash,
      productCount,
      bytes: encoded.identity.length,
      menuBr: encoded.br,
      storefront: await pinnedContentBytes(storefront),
      mediaIds: shownMediaIds(storefront),
    })
    .execute();
}
