import { useAll } from '../../data/read.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import { Form, type Field } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import type { Values } from '../../pure/fields.ts';
import { t } from '../../texts/texts.ts';
import type { Product } from '../../data/records.ts';
import { useProductEdit } from './use-product-edit.ts';

type Places = {
  version: number;
  categoryIds: number[];
  badgeIds: number[];
  isVisible: boolean;
  hiddenIn: number[];
  shownIn: number[];
};

const toPlaces = (product: Product): Places => ({
  version: product.version,
  categoryIds: product.categories.map(({ id }) => id),
  badgeIds: product.badges.map(({ id }) => id),
  isVisible: product.isVisible,
  hiddenIn: product.organizationVisibility
    .filter(({ isVisible }) => !isVisible)
    .map(({ organizationId }) => organizationId),
  shownIn: product.organizationVisibility
    .filter(({ isVisible }) => isVisible)
    .map(({ organizationId }) => organizationId),
});

export function ProductPlaces({ product }: { product: Product }) {
  const categories = useAll('listCategories', {});
  const badges = useAll('listBadges', {});
  const restaurants = useRestaurants();
  const { save, reload, reason } = useProductEdit(product);
  const places = toPlaces(product);
  const inRestaurants = restaurants.map(({ id, name }) => [String(id), name] as const);
  const fields: readonly Field[] = [
    {
      name: 'categoryIds',
      kind: 'choices',
      isNumeric: true,
      label: t('product.categories'),
      options: (categories.data?.items ?? []).map(({ id, name }) => [String(id), name]),
    },
    {
      name: 'badgeIds',
      kind: 'choices',
      isNumeric: true,
      label: t('product.badges'),
      options: (badges.data?.items ?? []).map(({ id, name }) => [String(id), name]),
    },
    { name: 'isVisible', kind: 'flag', label: t('product.isVisible') },
    {
      name: 'hiddenIn',
      kind: 'choices',
      isNumeric: true,
      label: t('product.hiddenIn'),
      options: inRestaurants,
    },
    {
      name: 'shownIn',
      kind: 'choices',
      isNumeric: true,
      label: t('product.shownIn'),
      options: inRestaurants,
    },
  ];

  /** The API has one field for both lists. */
  const send = ({ hiddenIn, shownIn, ...body }: Values) => {
    if (hiddenIn === undefined && shownIn === undefined) return save(body);
    const hidden = (hiddenIn ?? places.hiddenIn) as number[];
    const shown = ((shownIn ?? places.shownIn) as number[]).filter((id) => !hidden.includes(id));
    const exceptions = [
      ...hidden.map((organizationId) => ({ organizationId, isVisible: false })),
      ...shown.map((organizationId) => ({ organizationId, isVisible: true })),
    ];

    return save({ ...body, organizationVisibility: exceptions });
  };

  return (
    <Block title={t('product.places')}>
      <p className={css['muted']}>{t('product.placesHint')}</p>
      <Loaded query={categories}>
        {() =>
          restaurants.length === 0 ? null : (
            <Form
              key={product.id}
              fields={fields}
              record={places}
              save={send}
              reload={async () => toPlaces(await reload())}
              reason={reason}
            />
          )
        }
      </Loaded>
    </Block>
  );
}
