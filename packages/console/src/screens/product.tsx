import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../data/read.ts';
import type { Product } from '../data/records.ts';
import { useUrl } from '../data/url.ts';
import { Form, type Field } from '../parts/form.tsx';
import { Block, Page, Tabs } from '../parts/page.tsx';
import { Loaded } from '../parts/states.tsx';
import { CodeStatus } from '../parts/values.tsx';
import { readOne } from '../pure/search.ts';
import { t } from '../texts/texts.ts';
import { History } from './parts/history.tsx';
import { ProductPictures } from './parts/product-pictures.tsx';
import { ProductPlaces } from './parts/product-places.tsx';
import { ProductPreview } from './parts/product-preview.tsx';
import { ProductState } from './parts/product-state.tsx';
import { ProductVariants } from './parts/product-variants.tsx';
import { useProductEdit } from './parts/use-product-edit.ts';

const TABS: Readonly<Record<string, (product: Product) => ReactNode>> = {
  texts: (product) => <Texts product={product} />,
  state: (product) => <ProductState product={product} />,
  pictures: (product) => <ProductPictures product={product} />,
  variants: (product) => <ProductVariants product={product} />,
  places: (product) => <ProductPlaces product={product} />,
  preview: (product) => <ProductPreview product={product} />,
  history: (product) => <History type="product" id={String(product.id)} />,
};

export function Screen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [search] = useUrl();
  const tab = readOne(search, 'tab') ?? 'texts';
  const query = useRead('getProduct', [{ id: Number(id) }]);

  return (
    <Page
      title={query.data?.name ?? t('product.title')}
      lead={<Link to="/products">{t('product.all')}</Link>}
      actions={
        query.data !== undefined && <CodeStatus group="productStatus" value={query.data.status} />
      }
    >
      <Tabs
        current={tab}
        tabs={[
          ['texts', t('product.texts')],
          ['state', t('product.state')],
          ['pictures', t('product.pictures')],
          ['variants', t('product.variants')],
          ['places', t('product.places')],
          ['preview', t('product.preview')],
          ['history', t('product.history')],
        ]}
      />
      <Loaded query={query}>{(product) => (TABS[tab] ?? TABS['texts']!)(product)}</Loaded>
    </Page>
  );
}

const textFields = (): readonly Field[] => [
  { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
  { name: 'subtitle', kind: 'text', label: t('product.subtitle') },
  { name: 'description', kind: 'long', label: t('product.description') },
  { name: 'composition', kind: 'long', label: t('product.composition') },
  { name: 'slug', kind: 'text', label: t('product.slug'), hint: t('product.slugHint') },
  { name: 'seoTitle', kind: 'text', label: t('product.seoTitle') },
  { name: 'seoDescription', kind: 'long', label: t('product.seoDescription') },
];

function Texts({ product }: { product: Product }) {
  return (
    <Block title={t('product.texts')}>
      <Form key={product.id} fields={textFields()} record={product} {...useProductEdit(product)} />
    </Block>
  );
}
