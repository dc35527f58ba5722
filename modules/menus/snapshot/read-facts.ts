import { sql } from 'kysely';
import type { Database, Sql } from '../../../platform/db/database.ts';
import type * as facts from '../rules/snapshot/facts.ts';
import {
  shownMediaIds,
  withLastPrices,
  type PinnedContent,
} from '../rules/snapshot/pinned-content.ts';
import { readStoredMedia } from '../../media/retired-renditions.ts';
import { readModifiers, readOffers } from '../offers/read-offers.ts';
import { readTimeZone } from '../offers/read-clock.ts';
import { readStops, readStopSettings } from '../offers/read-stops.ts';
import { readPinnedContent, readPin, type Pin } from './pin-row.ts';
import {
  readStorefrontContent,
  readKeptVariants,
  readVariants,
  type Subject,
} from './read-content.ts';

export type SnapshotFacts = {
  organizationErpId: string;
  dirtySeq: number;
  pin: Pin | undefined;
  timeZone: string | null;
  menu: facts.MenuFacts;
};

/**
 * Reads a menu's facts from one database snapshot, so a concurrent import is visible completely or
 * not at all. A pin replaces only storefront content. Null for an unknown or inactive organization.
 */
export function readFacts(db: Database, organizationId: number): Promise<SnapshotFacts | null> {
  return db.transaction(async (tx) => {
    await sql`set transaction isolation level repeatable read read only`.execute(tx.db);
    return readFactsInside(tx, organizationId);
  });
}

/**
 * Like {@link readFacts}, in a transaction with one snapshot. With a product, reads only its facts,
 * unless a revision is pinned. A preview ignores the pin.
 */
export async function readFactsInside(
  tx: Sql,
  organizationId: number,
  { productId, isPreview }: Subject = { productId: null, isPreview: false },
): Promise<SnapshotFacts | null> {
  const organization = await tx.db
    .selectFrom('served_organization as organization')
    .leftJoin('snapshot_request as request', 'request.organizationId', 'organization.id')
    .select([
      'organization.erpId',
      (eb) => eb.fn.coalesce('request.dirtySeq', eb.lit(0)).as('dirtySeq'),
    ])
    .where('organization.id', '=', organizationId)
    .executeTakeFirst();
  if (organization === undefined) return null;

  const settings = await readStopSettings(tx);
  const pin = await readPin(tx, organizationId);
  const pinnedContent =
    pin && !isPreview && (await readPinnedContent(tx, organizationId, pin.revision));

  return {
    organizationErpId: organization.erpId,
    dirtySeq: organization.dirtySeq,
    pin,
    timeZone: await readTimeZone(tx, organizationId),
    menu: {
      ...(pinnedContent === undefined || pinnedContent === false
        ? await readPresent(tx, organizationId, { productId, isPreview })
        : await readKept(tx, organizationId, pinnedContent)),
      stops: await readStops(tx, organizationId, settings),
      stoplistBehaviour: settings.behavior,
    },
  };
}

type Shown = Omit<facts.MenuFacts, 'stops' | 'stoplistBehaviour'>;

async function readPresent(tx: Sql, organizationId: number, subject: Subject): Promise<Shown> {
  const content = await readStorefrontContent(tx, organizationId, subject);
  const variants = await readVariants(tx, organizationId, subject);

  return {
    ...content,
    products: content.products.map((product) => ({ ...product, status: 'PUBLISHED' as const })),
    variants,
    media: await readStoredMedia(tx, shownMediaIds(content)),
    ...(await readErp(tx, organizationId, variants)),
  };
}

/** Uses current prices, otherwise the last ones. */
async function readKept(
  tx: Sql,
  organizationId: number,
  pinnedContent: PinnedContent,
): Promise<Shown> {
  const { variants: keptVariants, ...content } = pinnedContent;
  const variants = await readKeptVariants(tx, pinnedContent);
  const erp = await readErp(tx, organizationId, variants);

  return {
    ...content,
    variants,
    media: await readStoredMedia(tx, shownMediaIds(content)),
    ...erp,
    offers: withLastPrices(erp.offers, variants, keptVariants),
  };
}

type Erp = Pick<facts.MenuFacts, 'offers' | 'groups' | 'links' | 'modifiers'>;

async function readErp(
  tx: Sql,
  organizationId: number,
  variants: readonly facts.VariantFact[],
): Promise<Erp> {
  const sizeIds = [...new Set(variants.map((variant) => variant.itemSizeId))];
  return {
    offers: await readOffers(tx, organizationId, sizeIds),
    ...(await readModifiers(tx, organizationId, sizeIds)),
  };
}
