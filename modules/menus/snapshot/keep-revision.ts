import { sql } from 'kysely';
import { json, type Sql } from '../../../platform/db/database.ts';
import type { Cause } from '../rebuilds/causes.ts';
import { REFERENCE_VERSION } from '../../media/media-base.ts';
import { shownMediaIds } from '../rules/snapshot/pinned-content.ts';
import type { Encoded } from './encode.ts';
import { pinnedContentBytes } from './pin-row.ts';
import type { PreparedSnapshot } from './prepare-snapshot.ts';

/**
 * Stores a revision and marks the previous one as superseded. Requires the lock of the publication.
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
      referenceVersion: REFERENCE_VERSION,
    })
    .execute();
}

export async function recordCauses(
  { db }: Sql,
  organizationId: number,
  revision: number,
  causes: readonly Cause[],
): Promise<void> {
  if (causes.length === 0) return;
  await db
    .updateTable('snapshot_revision')
    .set({ causes: json(causes) })
    .where('organizationId', '=', organizationId)
    .where('revision', '=', revision)
    .execute();
}

/**
 * Records that this release builds the same content (SNP-57). Requires the lock of the publication.
 */
export async function confirmRevision(
  { db }: Sql,
  organizationId: number,
  revision: number,
): Promise<void> {
  await db
    .updateTable('snapshot_revision')
    .set({ referenceVersion: REFERENCE_VERSION })
    .where('organizationId', '=', organizationId)
    .where('revision', '=', revision)
    .where('referenceVersion', 'is distinct from', REFERENCE_VERSION)
    .execute();
}
