import type { Explanation } from '../schemas/snapshot.ts';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { concludes } from '../rules/snapshot/conclusion.ts';
import { explain, type VariantVerdict } from '../rules/snapshot/explain.ts';
import { isOpenAt } from '../rules/offers/hours.ts';
import { readOffers } from '../offers/read-offers.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { DECIDING_SETTINGS, productFacts, variantFacts } from './explain-facts.ts';
import {
  readMenuRows,
  readOrganization,
  readProduct,
  readStopRows,
  readVariantRows,
} from './explain-rows.ts';
import { explainSentence } from './explain-sentence.ts';
import { readFactsInside } from './read-facts.ts';
import { getSnapshotSummary } from './snapshot-status.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

type Served = { available: boolean; price: number };

/**
 * Explains whether a product's variants are in the menu and available, and their prices
 * (docs/decisions/0021). The verdict comes from the assembled menu, `served` from the stored menu.
 * Problem `not-found`.
 */
export function explainProduct(
  db: Database,
  productId: number,
  organizationId: number,
): Promise<Explanation> {
  return db.transaction(async (tx) => {
    await sql`set transaction isolation level repeatable read read only`.execute(tx.db);
    const product = await readProduct(tx, productId, organizationId);
    const organization = await readOrganization(tx, organizationId);
    const rows = await readVariantRows(tx, productId);
    const facts = await readFactsInside(tx, organizationId);
    const snapshot = await getSnapshotSummary(tx, organizationId);
    const settings = await readSettings(tx, ...DECIDING_SETTINGS);
    const offers = await readOffers(
      tx,
      organizationId,
      rows.map((row) => row.itemSizeId),
    );

    const clock = await tx.db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow();
    const verdict = explain(
      facts?.menu ?? null,
      { ...product, variants: rows, offers },
      {
        isPinned: snapshot.pin !== null,
        isOpen: isOpenAt(clock.now.getTime(), facts?.timeZone ?? null),
        digest: sha256,
      },
    );

    const bound = boundTo(verdict.variants, rows, facts?.menu.variants ?? []);
    const sizeIds = [...bound.values()].map((entry) => entry.itemSizeId);
    const menus = Map.groupBy(
      await readMenuRows(tx, organizationId, sizeIds),
      (row) => row.itemSizeId,
    );

    const stops = await readStopRows(tx, organizationId, [
      ...new Set([...bound.values()].map((entry) => entry.itemErpId)),
    ]);
    const served =
      facts === null ? new Map<number, Served>() : await readServed(tx, organizationId, productId);
    const { revision, publishedAt, patchedAt, pendingSince, pendingReason } = snapshot;

    return {
      product: { id: product.id, name: product.name, status: product.status },
      organization: { id: organization.id, erpId: organization.erpId, name: organization.name },
      explainedAt: clock.now,
      inMenu: verdict.inMenu,
      sentence: explainSentence(concludes(verdict)),
      facts: productFacts(product, organization, verdict, snapshot, settings),
      snapshot: {
        revision,
        publishedAt,
        patchedAt,
        pendingSince,
        pendingReason,
        isBehind: revision === null || pendingSince !== null,
      },
      variants: verdict.variants.map((variant) => {
        const row = rows.find((entry) => entry.id === variant.id);
        const { itemSizeId, itemErpId, sizeErpId } = bound.get(variant.id) ?? {
          itemSizeId: 0,
          itemErpId: '',
          sizeErpId: '',
        };

        const stopped = stops.filter(
          (stop) =>
            stop.itemErpId === itemErpId && (stop.sizeErpId === '' || stop.sizeErpId === sizeErpId),
        );

        return {
          id: variant.id,
          optionName: row?.optionName ?? null,
          isDefault: row?.isDefault ?? false,
          inMenu: variant.inMenu,
          available: variant.available,
          price: variant.priceKopecks,
          reason: variant.reason,
          sentence: explainSentence(variant),
          served: served.get(variant.id) ?? null,
          facts: variantFacts(variant, row, menus.get(itemSizeId) ?? [], stopped),
        };
      }),
    };
  });
}

type Bound = { id: number; itemSizeId: number; itemErpId: string; sizeErpId: string };

/** Prefers the binding used in the menu. */
function boundTo(
  verdicts: readonly VariantVerdict[],
  rows: readonly Bound[],
  inContent: readonly Bound[],
): Map<number, Bound> {
  const byId = new Map([...rows, ...inContent].map((row) => [row.id, row]));
  return new Map(
    verdicts.flatMap(({ id }) => {
      const bound = byId.get(id);
      return bound === undefined ? [] : [[id, bound] as const];
    }),
  );
}

type StoredMenu = {
  products: { id: number; variants: { id: number; price: number; available: boolean }[] }[];
};

async function readServed(
  tx: Sql,
  organizationId: number,
  productId: number,
): Promise<Map<number, Served>> {
  const row = await tx.db
    .selectFrom('snapshot')
    .select('payload')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();

  const menu =
    row === undefined ? { products: [] } : (JSON.parse(row.payload.toString('utf8')) as StoredMenu);
  const variants = menu.products.find((product) => product.id === productId)?.variants ?? [];

  return new Map(
    variants.map(({ id, price, available }) => [id, { available, price: Math.round(price * 100) }]),
  );
}
