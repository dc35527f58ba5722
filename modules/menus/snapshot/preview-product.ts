import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import { readOffers } from '../offers/read-offers.ts';
import { isOpenAt } from '../rules/offers/hours.ts';
import { balanceRule } from '../rules/offers/stops.ts';
import { assembleMenu } from '../rules/snapshot/assemble.ts';
import { evaluateAvailability } from '../rules/snapshot/availability.ts';
import { concludes } from '../rules/snapshot/conclusion.ts';
import { explain } from '../rules/snapshot/explain.ts';
import type { MenuContent } from '../rules/snapshot/menu-parts.ts';
import { menuTemplate, menuText, parsePublished } from '../rules/snapshot/payload.ts';
import { browseMenu } from '../rules/storefront/menu-browser.ts';
import type { ProductPreview } from '../schemas/snapshot.ts';
import { readOrganization, readProduct, readVariantRows } from './explain-rows.ts';
import { explainSentence } from './explain-sentence.ts';
import { readFactsInside } from './read-facts.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const HEAD = { revision: 0, organizationErpId: '', generatedAt: new Date(0) };

/**
 * Returns the product card as if the product were published now (SNP-77), or null with a reason.
 * Ignores pins. Problem `not-found`.
 */
export function previewProduct(
  db: Database,
  productId: number,
  organizationId: number,
): Promise<ProductPreview> {
  return db.transaction(async (tx) => {
    await sql`set transaction isolation level repeatable read read only`.execute(tx.db);
    const { id, name, status } = await readProduct(tx, productId, organizationId);
    const organization = await readOrganization(tx, organizationId);
    const { now } = await tx.db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow();
    const facts = await readFactsInside(tx, organizationId, { productId, isPreview: true });
    const variants = await readVariantRows(tx, productId);
    const sizeIds = variants.map(({ itemSizeId }) => itemSizeId);
    const offers = await readOffers(tx, organizationId, sizeIds);
    const isOpen = isOpenAt(now.getTime(), facts?.timeZone ?? null);
    const published = { id, status: 'PUBLISHED', variants, offers };
    const conclusion = concludes(
      explain(facts?.menu ?? null, published, { isPinned: false, isOpen, digest: sha256 }),
    );

    return {
      product: { id, name, status },
      organization: { id: organization.id, erpId: organization.erpId, name: organization.name },
      previewedAt: now,
      ...conclusion,
      sentence: explainSentence(conclusion),
      card: facts === null ? null : (buildCard(facts.menu, productId, isOpen) ?? null),
    };
  });
}

function buildCard(
  facts: Parameters<typeof assembleMenu>[0],
  productId: number,
  isOpen: ReturnType<typeof isOpenAt>,
) {
  const { content, cardTexts, index } = assembleMenu(facts, sha256);
  const { flags } = evaluateAvailability(index, balanceRule(facts.stops), isOpen);
  const menu = parsePublished<MenuContent>(menuText(HEAD, menuTemplate(content), flags));
  return browseMenu(menu, cardTexts).cardOf(productId);
}
