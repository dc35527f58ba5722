import type { PriceCategory } from './schemas/mirror.ts';
import type { Sql } from '../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';

/** One page of price categories by connection and name, of one connection or of all. */
export function listPriceCategories(
  { db }: Sql,
  input: Paging & { connectionId?: number | undefined },
): Promise<Page<PriceCategory>> {
  const all = db
    .selectFrom('mirror_price_category')
    .select(['id', 'erpId', 'connectionId', 'name', 'synchronizedAt', 'inactiveAt'])
    .orderBy('connectionId')
    .orderBy('name')
    .orderBy('id');
  return readPage(input.connectionId === undefined ? all : all.where('connectionId', '=', input.connectionId), input);
}
