import { memo, type ReactNode } from 'react';
import type { MenuProduct } from '@carte/client/storefront';
import { addDish } from '../cart.ts';
import { rubles } from '../format.ts';
import { dishPath, go, Link } from '../routes.tsx';
import { canBeOrdered, shop, useShop } from '../store.ts';
import { t } from '../texts.ts';
import { Badges } from './badges.tsx';
import { Picture } from './picture.tsx';

/** Number of pictures that are visible when the page opens. */
const FIRST_PICTURES = 4;

type Props = { product: MenuProduct; at: number; organizationId: string };

/** A dish of the menu. Dishes without options are added at once, other dishes open their page. */
const Card = memo(function Card({ product, at, organizationId }: Props): ReactNode {
  const { id, slug, name, subtitle, composition, badges, images, variants } = product;
  useShop((state) => state.language);
  const [variant] = variants;
  const isSimple = variants.length === 1 && variant!.modifierGroupIds.length === 0;
  const isOff = !canBeOrdered(product);
  const cheapest = Math.min(...variants.map(({ price }) => price));
  const action = t(isOff ? 'dish.soldOut' : isSimple ? 'dish.add' : 'dish.choose');
  const path = dishPath(slug, organizationId);
  const take = () =>
    isSimple ? void addDish({ variantId: variant!.id, quantity: 1, modifiers: [] }) : go(path);
  return (
    <li className={isOff ? 'card off' : 'card'}>
      <Picture image={images.main} width={400} height={300} isFirst={at < FIRST_PICTURES} />
      <div>
        <h3>
          <Link to={path}>{name}</Link>
        </h3>
        <p>
          <Badges codes={badges} />
          {subtitle ?? composition ?? ''}
        </p>
        <span className="row">
          <strong>
            {variants.length > 1 ? t('dish.from', { price: rubles(cheapest) }) : rubles(cheapest)}
          </strong>
          <button
            type="button"
            data-key={`take-${id}`}
            data-simple={isSimple ? '' : undefined}
            disabled={isOff}
            aria-label={`${action}: ${name}`}
            onClick={take}
          >
            {action}
          </button>
        </span>
      </div>
    </li>
  );
});

/** A list of dishes; `from` is the number of dishes above the list. */
export function Dishes({
  products,
  from = 0,
}: {
  products: readonly MenuProduct[];
  from?: number;
}): ReactNode {
  const { organizationId } = shop();
  return (
    <ul className="grid">
      {products.map((product, at) => (
        <Card key={product.id} product={product} at={from + at} organizationId={organizationId} />
      ))}
    </ul>
  );
}
