import type { PriceCategory } from '../../contracts/mirror.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

/** A mirrored price category. Its ERP id may be the nil uuid: opaque text, like that of an external menu. */
export type PriceCategoryView = PriceCategory;

/** One page of price categories by connection and name, of one connection or of all. */
export function listPriceCategories(
  db: Sql,
  input: Paging & { connectionId?: number | undefined },
): Promise<Page<PriceCategoryView>> {
  return readPageOfText(db, input, {
    columns: `id, erp_id as "erpId", connection_id as "connectionId", name, synchronized_at as "synchronizedAt",
      inactive_at as "inactiveAt"`,
    from: 'mirror_price_category where $1::bigint is null or connection_id = $1',
    order: 'connection_id, name, id',
    params: [input.connectionId ?? null],
  });
}
