import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { readPage, type Paging } from '../../../kernel/pages.ts';
import { inScope, type Scope } from '../../../kernel/scope.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { readOffers } from '../offers/read-offers.ts';
import { isOpenAt } from '../rules/offers/hours.ts';
import { concludes } from '../rules/snapshot/conclusion.ts';
import { explain } from '../rules/snapshot/explain.ts';
import type { ExplanationOverview } from '../schemas/snapshot.ts';
import { readVariantRows } from './explain-rows.ts';
import { explainSentence } from './explain-sentence.ts';
import { readFactsInside } from './read-facts.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Explains a product in one page of active organizations (CAT-30). Problem `not-found`. */
export function explainEverywhere(
  db: Database,
  productId: number,
  { scope, ...paging }: Paging & { scope: Scope },
): Promise<ExplanationOverview> {
  return db.transaction(async (tx) => {
    await sql`set transaction isolation level repeatable read read only`.execute(tx.db);
    const product = await tx.db
      .selectFrom('catalog_product')
      .select(['id', 'name', 'status', sql<Date>`now()`.as('explainedAt')])
      .where('id', '=', productId)
      .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such product.' }));

    const { explainedAt, ...reference } = product;
    const organizations = tx.db
      .selectFrom('mirror_organization')
      .select(['id', 'erpId', 'name'])
      .where('inactiveAt', 'is', null)
      .where((eb) => inScope(eb.ref('id'), scope))
      .orderBy('name')
      .orderBy('id');

    const page = await readPage(organizations, paging);
    const variants = await readVariantRows(tx, productId);
    const items: ExplanationOverview['items'] = [];

    for (const organization of page.items) {
      const conclusion = await concludeFor(tx, organization.id, {
        ...reference,
        variants,
        explainedAt,
      });

      items.push({ organization, ...conclusion, sentence: explainSentence(conclusion) });
    }

    return { ...page, kind: 'OVERVIEW', product: reference, explainedAt, items };
  });
}

type Subject = {
  id: number;
  status: string;
  explainedAt: Date;
  variants: Awaited<ReturnType<typeof readVariantRows>>;
};

async function concludeFor(tx: Sql, organizationId: number, subject: Subject) {
  const facts = await readFactsInside(tx, organizationId, {
    productId: subject.id,
    isPreview: false,
  });

  const sizeIds = subject.variants.map((variant) => variant.itemSizeId);
  const offers = await readOffers(tx, organizationId, sizeIds);
  const isOpen = isOpenAt(subject.explainedAt.getTime(), facts?.timeZone ?? null);
  const how = { isPinned: facts?.pin !== undefined, isOpen, digest: sha256 };

  return concludes(explain(facts?.menu ?? null, { ...subject, offers }, how));
}
