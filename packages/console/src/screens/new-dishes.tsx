import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../data/read.ts';
import { usePickedRestaurant } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Block, Page } from '../parts/page.tsx';
import type { ItemOf } from '../parts/resource.tsx';
import { CodeStatus, Money, When } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { code, t } from '../texts/texts.ts';
import { Triage } from './parts/triage.tsx';

type Row = ItemOf<'listErpItems'>;

/** New dishes of the ERP, which staff put on sale or set aside. */
export function Screen() {
  const [search] = useUrl();
  const restaurant = usePickedRestaurant();
  const categories = useRead('listErpCategories', [
    { kind: 'PRODUCT', size: 200, sort: ['newItemCount,desc'] },
  ]);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const filters: readonly Filter[] = [
    { name: 'q', kind: 'text', label: t('dishes.find') },
    {
      name: 'product_category_id',
      kind: 'choice',
      label: t('dishes.category'),
      options: (categories.data?.items ?? []).map(({ id, name, newItemCount }) => [
        id,
        `${name} (${newItemCount})`,
      ]),
    },
    { name: 'has_price', kind: 'flag', label: t('dishes.hasPrice') },
    {
      name: 'triage',
      kind: 'choice',
      label: t('dishes.state'),
      options: ['NEW', 'IGNORED', 'LINKED'].map((value) => [value, code('triage', value)]),
    },
  ];

  const chosen = toParams(indexKinds(filters), search) as {
    triage?: 'NEW';
    q?: string;
    product_category_id?: string;
    has_price?: boolean;
  };

  const params = {
    triage: 'NEW' as const,
    ...chosen,
    ...(restaurant === undefined ? {} : { organization_id: restaurant.id }),
  };

  const query = useRead('listErpItems', [params]);

  return (
    <Page manual="new-dish" title={t('dishes.title')} lead={t('dishes.lead')}>
      <Filters filters={filters} />
      <Triage
        ids={[...ids]}
        total={query.data?.total ?? 0}
        filter={{
          triage: params.triage,
          ...(params.q === undefined ? {} : { q: params.q }),
          ...(params.product_category_id === undefined
            ? {}
            : { productCategoryId: params.product_category_id }),
          ...(params.has_price === undefined ? {} : { hasPrice: params.has_price }),
          ...(restaurant === undefined ? {} : { organizationId: restaurant.id }),
        }}
        onDone={() => setIds(new Set())}
      />
      <Block needs="listErpItems">
        <DataTable
          label={t('dishes.title')}
          query={query}
          columns={columns()}
          rowId={({ itemId }) => itemId}
          empty={{ text: t('dishes.none') }}
          selection={{ ids, change: setIds }}
        />
      </Block>
    </Page>
  );
}

const columns = (): readonly Column<Row>[] => [
  {
    id: 'name',
    header: t('dishes.dish'),
    sort: 'name',
    cell: ({ itemId, name }) => <Link to={`/new-dishes/${itemId}`}>{name}</Link>,
  },
  { id: 'sku', header: t('incident.sku'), sort: 'sku', cell: ({ sku }) => sku ?? '—' },
  {
    id: 'category',
    header: t('dishes.category'),
    cell: ({ productCategory }) => productCategory?.name ?? '—',
  },
  {
    id: 'price',
    header: t('dishes.price'),
    isNumber: true,
    cell: ({ sizes }) => <Money amount={sizes[0]?.priceMin} />,
  },
  {
    id: 'sizes',
    header: t('dishes.sizes'),
    isNumber: true,
    cell: ({ sizes }) => String(sizes.length),
  },
  {
    id: 'seen',
    header: t('dishes.firstSeen'),
    sort: 'firstSeenAt',
    cell: ({ firstSeenAt }) => <When at={firstSeenAt} />,
  },
  {
    id: 'state',
    header: t('dishes.state'),
    cell: ({ triage }) => <CodeStatus group="triage" value={triage} />,
  },
];
