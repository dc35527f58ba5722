import { Link } from '@tanstack/react-router';
import type { Data } from '../data/api.ts';
import { useAccess } from '../data/access.tsx';
import { useRead } from '../data/read.ts';
import { usePickedRestaurant } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { DataTable, type Column, type PageOf } from '../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Block, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Status } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { readOne } from '../pure/search.ts';
import { code, t } from '../texts/texts.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { Explained } from './parts/explained.tsx';

const REASONS = [
  'PUBLISHED',
  'VISIBLE_HERE',
  'PLACED',
  'HAS_MAIN_IMAGE',
  'SOLD_HERE',
  'PRICED',
  'SHOWN_BY_ERP',
  'LIVE',
  'NOT_STOPPED',
  'IN_HOURS',
  'MODIFIERS_LEFT',
  'IN_CONTENT',
  'IN_PINNED_REVISION',
  'ORGANIZATION_ACTIVE',
];

const filters = (): readonly Filter[] => [
  { name: 'q', kind: 'text', label: t('missing.find') },
  {
    name: 'reason',
    kind: 'choices',
    label: t('missing.reason'),
    options: REASONS.map((reason) => [reason, code('missingReason', reason)]),
  },
];

/** Explains why guests do not see a dish, by dish or by restaurant. */
export function Screen() {
  const [search] = useUrl();
  const restaurant = usePickedRestaurant();
  const product = Number(readOne(search, 'product') ?? Number.NaN);
  const isProduct = Number.isInteger(product);

  return (
    <Page manual="missing-dish" title={t('missing.title')} lead={t('missing.lead')}>
      <Filters filters={filters()} />
      {isProduct && restaurant !== undefined && (
        <Explained
          product={product}
          restaurant={restaurant.id}
          zone={restaurant.effectiveTimeZone}
        />
      )}
      {isProduct && <Everywhere product={product} />}
      {!isProduct && restaurant !== undefined && <Here restaurant={restaurant.id} />}
      {!isProduct && restaurant === undefined && <Products />}
    </Page>
  );
}

type Hit = { id: number; name: string };

function Products() {
  const [search] = useUrl();
  const query = useRead('listProducts', [toParams({ q: 'text' }, search, 20)]);
  const columns: readonly Column<Hit>[] = [
    {
      id: 'name',
      header: t('missing.dish'),
      cell: ({ id, name }) => <ProductLink id={id} name={name} />,
    },
  ];

  return (
    <Block title={t('missing.choose')} needs="listProducts">
      <DataTable
        label={t('missing.choose')}
        query={query as UseQueryResult<PageOf<Hit>>}
        columns={columns}
        rowId={({ id }) => String(id)}
        empty={{ text: t('missing.noDish') }}
      />
    </Block>
  );
}

const ProductLink = ({ id, name }: Hit) => (
  <Link
    to="/missing"
    search={
      ((before: object) => ({
        ...before,
        product: String(id),
        q: undefined,
        page: undefined,
      })) as never
    }
  >
    {name}
  </Link>
);

type Place = Extract<Data<'explainProduct'>, { kind: 'OVERVIEW' }>['items'][number];

function Everywhere({ product }: { product: number }) {
  const query = useRead('explainProduct', [{ id: product, all: true, size: 100 }]);
  const overview = query.data as { product?: Hit } | undefined;
  const columns: readonly Column<Place>[] = [
    {
      id: 'restaurant',
      header: t('missing.restaurant'),
      cell: ({ organization }) => (
        <Link
          to="/missing"
          search={
            ((before: object) => ({ ...before, restaurant: String(organization.id) })) as never
          }
        >
          {organization.name}
        </Link>
      ),
    },
    { id: 'state', header: t('missing.state'), cell: (place) => <Visibility {...place} /> },
    {
      id: 'reason',
      header: t('missing.reason'),
      cell: ({ reason }) => <Reason reason={reason} product={product} />,
    },
  ];

  return (
    <Block
      title={t('missing.everywhere', { name: overview?.product?.name ?? '' })}
      needs="explainProduct"
      actions={
        <Link
          to="/missing"
          search={((before: object) => ({ ...before, product: undefined })) as never}
        >
          {t('missing.another')}
        </Link>
      }
    >
      <DataTable
        label={t('missing.title')}
        query={query as unknown as UseQueryResult<PageOf<Place>>}
        columns={columns}
        rowId={({ organization }) => String(organization.id)}
        empty={{ text: t('missing.noRestaurant') }}
      />
    </Block>
  );
}

type Absent = Data<'listMissingProducts'>['items'][number];

/** Dishes that guests of one restaurant do not see. */
function Here({ restaurant }: { restaurant: number }) {
  const [search] = useUrl();
  const params = { id: restaurant, ...toParams(indexKinds(filters()), search) };
  const query = useRead('listMissingProducts', [params]);
  const columns: readonly Column<Absent>[] = [
    { id: 'dish', header: t('missing.dish'), cell: ({ product }) => <ProductLink {...product} /> },
    {
      id: 'state',
      header: t('missing.state'),
      cell: ({ inMenu }) => <Visibility inMenu={inMenu} available={false} />,
    },
    {
      id: 'reason',
      header: t('missing.reason'),
      cell: ({ reason, product }) => <Reason reason={reason} product={product.id} />,
    },
  ];

  return (
    <Block
      title={t('missing.here', { name: query.data?.organization.name ?? '' })}
      needs="listMissingProducts"
    >
      {query.data !== undefined && query.data.counts.length > 0 && (
        <div className={css['row']}>
          {query.data.counts.map(({ reason, count }) => (
            <Status key={reason}>{`${code('missingReason', reason)}: ${count}`}</Status>
          ))}
        </div>
      )}
      <DataTable
        label={t('missing.title')}
        query={query}
        columns={columns}
        rowId={({ product }) => String(product.id)}
        empty={{ text: t('missing.nothingMissing') }}
      />
    </Block>
  );
}

function Visibility({ inMenu, available }: { inMenu: boolean; available: boolean }) {
  if (inMenu && available) return <Status tone="good">{t('missing.sold')}</Status>;
  return (
    <Status tone={inMenu ? 'warn' : 'bad'}>{t(inMenu ? 'missing.shown' : 'missing.hidden')}</Status>
  );
}

/** The page on which a reason is removed. */
const REMEDIES: Readonly<Record<string, string>> = {
  PUBLISHED: 'state',
  VISIBLE_HERE: 'places',
  PLACED: 'places',
  HAS_MAIN_IMAGE: 'pictures',
  PRICED: 'variants',
  LIVE: 'variants',
  SOLD_HERE: 'variants',
};

function Reason({ reason, product }: { reason: string; product: number }) {
  const lacks = useAccess();
  if (reason === 'AVAILABLE') return '—';
  const tab = REMEDIES[reason];

  return (
    <div className={css['row']}>
      <span>{code('missingReason', reason)}</span>
      {tab !== undefined && lacks('getProduct') === null && (
        <Link to={`/products/${product}`} search={{ tab } as never}>
          {t('missing.repair')}
        </Link>
      )}
    </div>
  );
}
