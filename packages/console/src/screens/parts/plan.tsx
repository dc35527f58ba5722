import type { Data } from '../../data/api.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import { Table } from '../../parts/data-table.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Money } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';

type ImportPlan = NonNullable<Data<'getSyncRun'>['plan']>;
type Item = ImportPlan['created']['items'][number];

/** Changes of an import: new and vanished dishes, prices, products without a variant. */
export function Plan({ plan }: { plan: ImportPlan }) {
  const restaurants = useRestaurants();
  const findName = (id: number) =>
    restaurants.find((restaurant) => restaurant.id === id)?.name ?? String(id);
  const { created, deleted, priceChanges, productsLeftWithoutVariant: left } = plan;

  return (
    <div className={css['columns']}>
      <Items title={t('plan.created', { count: created.total })} items={created.items} />
      <Items title={t('plan.deleted', { count: deleted.total })} items={deleted.items} />
      <Block title={t('plan.prices', { count: priceChanges.total })}>
        <Table
          label={t('plan.prices', { count: priceChanges.total })}
          rows={priceChanges.items}
          rowId={({ itemId, sizeId, organizationId }) => `${itemId} ${sizeId} ${organizationId}`}
          columns={[
            { id: 'name', header: t('missing.dish'), cell: ({ name }) => name },
            {
              id: 'where',
              header: t('missing.restaurant'),
              cell: ({ organizationId }) => findName(organizationId),
            },
            {
              id: 'from',
              header: t('plan.from'),
              isNumber: true,
              cell: ({ from }) => <Money amount={from} />,
            },
            {
              id: 'to',
              header: t('plan.to'),
              isNumber: true,
              cell: ({ to }) => <Money amount={to} />,
            },
          ]}
          empty={{ text: t('run.nothing') }}
        />
      </Block>
      <Block title={t('plan.left', { count: left.total })}>
        <ul className={css['list']}>
          {left.items.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      </Block>
    </div>
  );
}

function Items({ title, items }: { title: string; items: readonly Item[] }) {
  return (
    <Block title={title}>
      <ul className={css['list']}>
        {items.map(({ id, name, role }) => (
          <li key={`${id} ${role}`}>
            <span className={css['grow']}>{name}</span>
            <span className={css['muted']}>{code('itemRole', role)}</span>
          </li>
        ))}
      </ul>
    </Block>
  );
}
