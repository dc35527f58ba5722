import { sql } from 'kysely';
import type { Database, Sql } from '../../../platform/db/database.ts';
import type * as facts from '../rules/snapshot/facts.ts';
import { shownMediaIds, withLastPrices, type PinnedContent } from '../rules/snapshot/pinned-content.ts';
import { readStoredMedia } from '../../media/retired-renditions.ts';
import { readModifiers, readOffers } from '../offers/read-offers.ts';
import { readTimeZone } from '../offers/read-clock.ts';
import { readStops, readStopSettings } from '../offers/read-stops.ts';
import { readPinnedContent, readPin, type Pin } from './pin-row.ts';
import { readStorefrontContent, readKeptVariants, readVariants, type Subject } from './read-content.ts';

/**
 * The input of one build: the facts, how many reasons for a rebuild they contain, and the pin they
 * were read under.
 */
export type SnapshotFacts = {
  organizationErpId: string;
  dirtySeq: number;
  pin: Pin | undefined;
  /** Null while neither staff nor the ERP has named one. */
  timeZone: string | null;
  menu: facts.MenuFacts;
};

/**
 * Reads everything one menu is made of in one database snapshot, so an import that commits
 * meanwhile is seen whole or not at all. Under a pin the storefront content is that of the pinned
 * revision, everything else is live. Null when the organization is unknown or inactive.
 */
export function readFacts(db: Database, organizationId: number): Promise<SnapshotFacts | null> {
  return db.transaction(async (tx) => {
    await sql`set transaction isolation level repeatable read read only`.execute(tx.db);
    return readFactsInside(tx, organizationId);
  });
}

/**
 * The same inside a transaction of the caller, which must see one database snapshot. With a product
 * only its own facts are read; a pinned revision is read as a whole. A preview reads the product as
 * if it were published, and ignores a pin.
 */
export async function readFactsInside(
  tx: Sql,
  organizationId: number,
  { productId, isPreview }: Subject = { productId: null, isPreview: false },
): Promise<SnapshotFacts | null> {
  const organization = await tx.db
    .selectFrom('served_organization as organization')
    .leftJoin('snapshot_request as request', 'request.organizationId', 'organization.id')
    .select(['organization.erpId', (eb) => eb.fn.coalesce('request.dirtySeq', eb.lit(0)).as('dirtySeq')])
    .where('organization.id', '=', organizationId)
    .executeTakeFirst();
  if (organization === undefined) return null;
  const settings = await readStopSettings(tx);
  const pin = await readPin(tx, organizationId);
  const kept = pin && !isPreview && (await readPinnedContent(tx, organizationId, pin.revision));
  return {
    organizationErpId: organization.erpId,
    dirtySeq: organization.dirtySeq,
    pin,
    timeZone: await readTimeZone(tx, organizationId),
    menu: {
      ...(kept === undefined || kept === false
        ? await readPresent(tx, organizationId, { productId, isPreview })
        : await readKept(tx, organizationId, kept)),
      stops: await readStops(tx, organizationId, settings),
      stoplistBehaviour: settings.behaviour,
    },
  };
}

type Shown = Omit<facts.MenuFacts, 'stops' | 'stoplistBehaviour'>;

/** The content of today. */
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

/** The content of a kept revision with current prices; sizes without one keep their last price. */
async function readKept(tx: Sql, organizationId: number, kept: PinnedContent): Promise<Shown> {
  const { variants: keptVariants, ...content } = kept;
  const variants = await readKeptVariants(tx, kept);
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

/** Reads the offers of external menus for the sizes that these variants are bound to. */
async function readErp(tx: Sql, organizationId: number, variants: readonly facts.VariantFact[]): Promise<Erp> {
  const sizeIds = [...new Set(variants.map((variant) => variant.itemSizeId))];
  return {
    offers: await readOffers(tx, organizationId, sizeIds),
    ...(await readModifiers(tx, organizationId, sizeIds)),
  };
}
