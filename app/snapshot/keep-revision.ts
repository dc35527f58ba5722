import type { Sql } from '../../db/database.ts';
import { shownPictures } from '../../domain/snapshot/pinned-content.ts';
import type { Encoded } from './encode.ts';
import { pinnedContentBytes } from './pin-row.ts';
import type { PreparedSnapshot } from './prepare-snapshot.ts';

/**
 * Keeps what was just published beside its content, and marks the revision before it as superseded; in the transaction of the
 * publication, under its lock. A patch keeps nothing, because it does not make a revision.
 */
export async function keepRevision(
  tx: Sql,
  prepared: PreparedSnapshot,
  revision: number,
  encoded: Encoded,
): Promise<void> {
  const { organizationId, pin, contentHash, productCount, storefront } = prepared;
  await tx.query(
    'update snapshot_revision set superseded_at = now() where organization_id = $1 and superseded_at is null',
    [organizationId],
  );
  await tx.query(
    `insert into snapshot_revision (organization_id, revision, restored_from, content_hash, product_count, bytes, menu_br, storefront, media_ids)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      organizationId,
      revision,
      pin?.revision ?? null,
      contentHash,
      productCount,
      encoded.identity.length,
      encoded.br,
      await pinnedContentBytes(storefront),
      shownPictures(storefront),
    ],
  );
}
