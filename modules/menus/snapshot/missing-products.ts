import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { contains, searchedText, pageOfItems, type Paging } from '../../../kernel/pages.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import type { ProductStatus } from '../../catalog/rules/states.ts';
import { variantsWithDishes } from '../../catalog/variants/variant-views.ts';
import { readOffers } from '../offers/read-offers.ts';
import { isOpenAt } from '../rules/offers/hours.ts';
import { concludes } from '../rules/snapshot/conclusion.ts';
import { explainer } from '../rules/snapshot/explain.ts';
import type { MissingProducts } from '../schemas/snapshot.ts';
import { readOrganization } from './explain-rows.ts';
import { explainSentence } from './explain-sentence.ts';
import { readFactsInside } from './read-facts.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

type Missing = MissingProducts['items'][number];

type Query = Paging & {
  reasons?: readonly Missing['reason'][] | undefined;
  status?: ProductStatus | undefined;
  q?: string | undefined;
};

/**
 * Returns one page of products that guests do not see or cannot order, with the count of each
 * reason (CAT-65). Problem `not-found`.
 */
export function missingProducts(
  db: Database,
  organizationId: number,
  query: Query,
): Promise<MissingProducts> {
  return db.transaction(async (tx) => {
    await sql`set transaction isolation level repeatable read read only`.execute(tx.db);
    const { id, erpId, name } = await readOrganization(tx, organizationId);
    const { now } = await tx.db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow();
    const missing = (await concludeAll(tx, organizationId, now, query)).flatMap(
      ({ available, ...item }) => (available ? [] : [item]),
    );
    const counted = Map.groupBy(missing, ({ reason }) => reason);
    const chosen = missing.filter(({ reason }) => query.reasons?.includes(reason) !== false);
    const page = pageOfItems(chosen, query, {
      name: ({ product }) => product.name,
      reason: ({ reason }) => reason,
    });

    return {
      organization: { id, erpId, name },
      explainedAt: now,
      counts: [...counted]
        .map(([reason, { length: count }]) => ({ reason, count }))
        .toSorted(byCount),
      ...page,
    };
  });
}

type Counted = { reason: Missing['reason']; count: number };
const byCount = (one: Counted, other: Counted) =>
  other.count - one.count || (one.reason < other.reason ? -1 : 1);

async function concludeAll(
  tx: Sql,
  organizationId: number,
  now: Date,
  { status, q }: Query,
): Promise<(Missing & { available: boolean })[]> {
  const products = await tx.db
    .selectFrom('catalog_product')
    .select(['id', 'name', 'status'])
    .where('status', '<>', 'ARCHIVED')
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .where((eb) => contains(eb.ref('searchText'), searchedText(q)))
    .orderBy('name')
    .orderBy('id')
    .execute();

  const variants = await variantsWithDishes(tx)
    .innerJoin('catalog_product as product', 'product.id', 'variant.productId')
    .select(['variant.id', 'variant.productId', 'size.id as itemSizeId'])
    .select(['item.erpId as itemErpId', 'size.erpSizeId as sizeErpId'])
    .where('product.status', '<>', 'ARCHIVED')
    .orderBy('variant.position')
    .orderBy('variant.id')
    .execute();

  const variantsOf = Map.groupBy(variants, ({ productId }) => productId);
  const facts = await readFactsInside(tx, organizationId);
  const offers = await readOffers(
    tx,
    organizationId,
    variants.map(({ itemSizeId }) => itemSizeId),
  );

  const explain = explainer(facts?.menu ?? null, offers, {
    isPinned: facts?.pin !== undefined,
    isOpen: isOpenAt(now.getTime(), facts?.timeZone ?? null),
    digest: sha256,
  });

  return products.map((product) => {
    const conclusion = concludes(
      explain({ ...product, variants: variantsOf.get(product.id) ?? [] }),
    );
    return { product, ...conclusion, sentence: explainSentence(conclusion) };
  });
}
