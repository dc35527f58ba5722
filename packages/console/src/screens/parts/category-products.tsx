import { useAction } from '../../data/action.ts';
import { useAll } from '../../data/read.ts';
import { OrderedList } from '../../parts/ordered-list.tsx';
import { EmptyState, Loaded } from '../../parts/states.tsx';
import { t } from '../../texts/texts.ts';

export function CategoryProducts({ id, close }: { id: number; close: () => void }) {
  const query = useAll('listCategoryProducts', { id });
  const order = useAction('orderCategoryProducts');

  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState text={t('categories.noProducts')} />
        ) : (
          <OrderedList
            entries={items.map((product) => ({ id: String(product.id), name: product.name }))}
            action={order}
            save={(ids) => order.run({ id }, { productIds: ids.map(Number) })}
            onDone={close}
          />
        )
      }
    </Loaded>
  );
}
