import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../data/action.ts';
import { useAll, useRead } from '../data/read.ts';
import { usePickedRestaurant } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { LinkButton } from '../parts/button.tsx';
import { Download } from '../parts/download.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Block, Page } from '../parts/page.tsx';
import type { ItemOf } from '../parts/resource.tsx';
import { CodeStatus, Money, Status, When } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { code, t } from '../texts/texts.ts';
import { ProductBulk } from './parts/product-bulk.tsx';
import media from './parts/product.module.css';
import { TextsSheet } from './parts/texts-sheet.tsx';
import { toText } from '../pure/fields.ts';

type Row = ItemOf<'listProducts'>;

/** Products on sale, and products that are not ready. */
export function Screen() {
  const [search] = useUrl();
  const restaurant = usePickedRestaurant();
  const categories = useAll('listCategories', {});
  const badges = useAll('listBadges', {});
  const create = useAction('createProduct');
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const filters: readonly Filter[] = [
    { name: 'q', kind: 'text', label: t('products.find') },
    {
      name: 'status',
      kind: 'choice',
      label: t('products.status'),
      options: ['DRAFT', 'PUBLISHED', 'UNPUBLISHED', 'ARCHIVED'].map((value) => [
        value,
        code('productStatus', value),
      ]),
    },
    { name: 'category_id', kind: 'number', label: t('products.category') },
    { name: 'badge_id', kind: 'number', label: t('products.badge') },
    { name: 'has_image', kind: 'flag', label: t('products.hasImage') },
    { name: 'erp_issue', kind: 'flag', label: t('products.erpIssue') },
  ];

  const shown = filters.map((filter): Filter => {
    if (filter.name === 'category_id')
      return {
        ...filter,
        kind: 'choice',
        options: (categories.data?.items ?? []).map(({ id, name }) => [String(id), name]),
      };

    if (filter.name === 'badge_id')
      return {
        ...filter,
        kind: 'choice',
        options: (badges.data?.items ?? []).map(({ id, name }) => [String(id), name]),
      };

    return filter;
  });

  const params = {
    ...toParams(indexKinds(filters), search),
    ...(restaurant === undefined ? {} : { organization_id: restaurant.id }),
  };

  const query = useRead('listProducts', [params]);

  return (
    <Page
      manual="texts-sheet"
      title={t('products.title')}
      lead={t('products.lead')}
      actions={
        <>
          <Download kind="products" params={params} />
          <TextsSheet />
          <LinkButton to="/new-dishes">{t('products.fromErp')}</LinkButton>
          <ActionButton
            look="primary"
            action={create}
            label={t('products.create')}
            fields={[{ name: 'name', kind: 'text', label: t('product.name'), isRequired: true }]}
            input={({ name }) => [{ name: toText(name) }]}
          />
        </>
      }
    >
      <Filters filters={shown} />
      <ProductBulk
        ids={[...ids].map(Number)}
        params={params}
        total={query.data?.total ?? 0}
        onDone={() => setIds(new Set())}
      />
      <Block needs="listProducts">
        <DataTable
          label={t('products.title')}
          query={query}
          columns={columns()}
          rowId={({ id }) => String(id)}
          empty={{
            text: t('products.none'),
            action: <LinkButton to="/new-dishes">{t('products.fromErp')}</LinkButton>,
          }}
          selection={{ ids, change: setIds }}
        />
      </Block>
    </Page>
  );
}

const columns = (): readonly Column<Row>[] => [
  {
    id: 'name',
    header: t('products.name'),
    sort: 'name',
    cell: ({ id, name, mainImage }) => (
      <span className={media['name']}>
        {mainImage === null ? (
          <span className={media['noPicture']} />
        ) : (
          <img src={mainImage.url} alt="" width="40" height="30" loading="lazy" />
        )}
        <Link to={`/products/${id}`}>{name}</Link>
      </span>
    ),
  },
  {
    id: 'status',
    header: t('products.status'),
    sort: 'status',
    cell: ({ status }) => <CodeStatus group="productStatus" value={status} />,
  },
  {
    id: 'price',
    header: t('dishes.price'),
    isNumber: true,
    cell: ({ price }) =>
      price === null ? (
        '—'
      ) : (
        <>
          <Money amount={price.min} />
          {price.max !== price.min && (
            <>
              –<Money amount={price.max} />
            </>
          )}
        </>
      ),
  },
  {
    id: 'variants',
    header: t('products.variants'),
    isNumber: true,
    cell: ({ variantCount }) => String(variantCount),
  },
  {
    id: 'restaurants',
    header: t('products.restaurants'),
    isNumber: true,
    cell: ({ organizationIds }) => String(organizationIds.length),
  },
  {
    id: 'issue',
    header: t('products.erpIssue'),
    cell: ({ hasErpIssue }) => (hasErpIssue ? <Status tone="bad">{t('filter.yes')}</Status> : '—'),
  },
  {
    id: 'updated',
    header: t('products.updated'),
    sort: 'updatedAt',
    cell: ({ updatedAt }) => <When at={updatedAt} />,
  },
];
