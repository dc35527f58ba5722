import { useRead } from '../../data/read.ts';
import { usePickedRestaurant, useRestaurants } from '../../data/restaurants.ts';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { EmptyState, Loaded } from '../../parts/states.tsx';
import { Status } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';
import type { Product } from '../../data/records.ts';

/** The card of a product in a restaurant, even before publication. */
export function ProductPreview({ product }: { product: Product }) {
  const picked = usePickedRestaurant();
  const first = useRestaurants()[0];
  const restaurant = picked ?? first;
  const query = useRead(
    'previewProduct',
    [{ id: product.id, organization_id: restaurant?.id ?? 0 }],
    {
      enabled: restaurant !== undefined,
    },
  );

  return (
    <Block title={t('product.previewIn', { name: restaurant?.name ?? '' })} needs="previewProduct">
      <p className={css['muted']}>{t('product.previewHint')}</p>
      {restaurant === undefined ? (
        <EmptyState text={t('missing.noRestaurant')} />
      ) : (
        <Loaded query={query}>
          {({ reason, available, card }) => (
            <div className={css['stack']}>
              <div>
                <Status tone={available ? 'good' : 'warn'}>{code('missingReason', reason)}</Status>
              </div>
              <pre className={css['pre']} tabIndex={0}>
                <code>{JSON.stringify(card, null, 2)}</code>
              </pre>
            </div>
          )}
        </Loaded>
      )}
    </Block>
  );
}
