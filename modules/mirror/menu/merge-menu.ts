import type { ImportCounters } from '../schemas/mirror.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { reportProgress } from '../../../platform/progress.ts';
import { textSql } from '../../../platform/db/text-sql.ts';
import { deleteVanished } from './delete-vanished.ts';
import { mergeCategories } from './merge-categories.ts';
import type { MergeContext } from './merge-context.ts';
import { mergeItems } from './merge-items.ts';
import { mergeModifiers } from './merge-modifiers.ts';
import { mergePrices, mergeSizes } from './merge-sizes.ts';

export type MergedMenu = {
  counters: ImportCounters;
  changed: boolean;
  outrankedBy: number[];
};

/** Merges the `new_…` rows into the mirror (MIR-7), after the guards. */
export async function mergeMenu(context: MergeContext): Promise<MergedMenu> {
  const step = <T>(writes: string, merge: (context: MergeContext) => Promise<T>): Promise<T> => {
    reportProgress({ writes });
    return merge(context);
  };

  const categories = await step('categories', mergeCategories);
  const { items, outrankedBy, ...itemLinks } = await step('items', mergeItems);
  const sizes = await step('sizes', mergeSizes);
  const prices = await step('prices', mergePrices);
  const modifiers = await step('modifiers', mergeModifiers);
  const deleted = context.isFull
    ? await step('deletions', deleteVanished)
    : { items: 0, touched: 0 };

  const merged = [
    categories,
    items,
    ...Object.values(itemLinks),
    ...Object.values(sizes),
    ...Object.values(modifiers),
  ];

  const rows = merged.reduce((sum, entry) => sum + entry.created + entry.updated, 0);
  const removed =
    modifiers.groups.deleted + modifiers.links.deleted + deleted.touched + deleted.items;

  return {
    outrankedBy,
    changed: rows + removed + prices.upserted + prices.lost + prices.takenOff > 0,
    counters: {
      categories: { created: categories.created, updated: categories.updated },
      items: { ...items, deleted: deleted.items },
      prices: { upserted: prices.upserted, unchanged: prices.unchanged },
      modifiers: await statedModifiers(context.tx),
    },
  };
}

async function statedModifiers(tx: Tx): Promise<ImportCounters['modifiers']> {
  const [counts] = await textSql(tx).query<ImportCounters['modifiers']>(
    `select (select count(*) from new_group) as groups, (select count(*) from new_link) as links,
            (select count(*) from new_item where role = 'MODIFIER') as global`,
  );

  return counts ?? { groups: 0, links: 0, global: 0 };
}
