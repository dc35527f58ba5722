import { isDeepStrictEqual } from 'node:util';
import type { FacetCatalog } from '../rules/storefront/facets.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { latestRun } from '../../../platform/latest-run.ts';
import { readSettings } from '../../settings/read-settings.ts';

export type FacetCatalogs = {
  /** Returns the same object until facets change. */
  current(): Promise<FacetCatalog>;
  loaded(): FacetCatalog | undefined;
};

/** Edits take effect within this time. */
const READ_AGAIN_MS = 5_000;

/** Reads facets once for concurrent callers. */
export function createFacetCatalogs(db: Sql, readAgainMs = READ_AGAIN_MS): FacetCatalogs {
  let known: FacetCatalog | undefined;
  let readAt = -Infinity;
  const refresh = latestRun<'facets'>(async () => {
    const startMs = performance.now();
    const read = await readFacetCatalog(db);
    if (!isDeepStrictEqual(read, known)) known = read;
    readAt = startMs;
  });

  const isRecent = () => performance.now() - readAt < readAgainMs;

  return {
    async current() {
      if (!isRecent()) await refresh('facets');
      return known!;
    },
    loaded: () => (isRecent() ? known : undefined),
  };
}

async function readFacetCatalog(sql: Sql): Promise<FacetCatalog> {
  const { db } = sql;
  const { guest_language: language } = await readSettings(sql, 'guest_language');
  const [badges, categories, axes, options] = await Promise.all([
    db
      .selectFrom('catalog_badge')
      .select(['code', 'name'])
      .orderBy('position')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('catalog_category')
      .select(['slug as code', 'name'])
      .where('parentId', 'is', null)
      .where('archivedAt', 'is', null)
      .orderBy('position')
      .orderBy('id')
      .execute(),
    db.selectFrom('catalog_variant_axis').select(['id', 'code', 'name']).orderBy('id').execute(),
    db
      .selectFrom('catalog_variant_option')
      .select(['axisId', 'code', 'name'])
      .orderBy('position')
      .orderBy('id')
      .execute(),
  ]);

  const ofAxis = Map.groupBy(options, ({ axisId }) => axisId);

  return {
    language,
    badges,
    categories,
    axes: axes.map(({ id, code, name }) => ({ code, name, options: ofAxis.get(id) ?? [] })),
  };
}
