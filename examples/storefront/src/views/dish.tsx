import { useRef, useState, type ReactNode } from 'react';
import {
  groupsOf,
  type CartLine,
  type MenuProduct,
  type MenuVariant,
  type ProductCard,
} from '@carte/client/storefront';
import { api } from '../api.ts';
import { addDish, changeLine } from '../cart.ts';
import { rubles } from '../format.ts';
import { Badges } from '../parts/badges.tsx';
import { Group } from '../parts/modifiers.tsx';
import { chosenModifiers, wrongGroup } from '../parts/choice.ts';
import { Picture } from '../parts/picture.tsx';
import { useMarkup } from '../structured-data.ts';
import { dishPath, go, leave, Link, useArrival, useTitle } from '../routes.tsx';
import { useShop } from '../store.ts';
import { t } from '../texts.ts';

/** The page of a dish. `line` in the query selects the cart line to edit. */
export function DishView({ slug }: { slug: string }): ReactNode {
  const main = useRef<HTMLElement>(null);
  const organizationId = useShop((state) => state.organizationId);
  const product = useShop((state) => state.menu?.products.find((each) => each.slug === slug));
  const isReady = useShop((state) => state.menu !== null);
  const lineId = new URLSearchParams(location.search).get('line');
  const line = useShop((state) => state.cart?.lines.find((each) => each.lineId === lineId));
  const card = useCard(slug, organizationId);
  useTitle(card?.seoTitle ?? product?.name ?? t('dish.title'));
  useArrival(main);
  return (
    <main id="dish" ref={main} tabIndex={-1} className="narrow" aria-busy={!isReady}>
      <p>
        <Link to="/">{t('shop.toMenu')}</Link>
      </p>
      {product !== undefined && (
        <Dish key={line?.lineId} product={product} card={card} line={line} />
      )}
      {isReady && product === undefined && (
        <>
          <h1>{t('dish.missing')}</h1>
          <p>{t('dish.chooseOther')}</p>
        </>
      )}
    </main>
  );
}

/** The texts and search-engine markup of a dish. Replaces a former slug in the URL. */
function useCard(slug: string, organizationId: string): ProductCard | null {
  const [card, setCard] = useState<ProductCard | null>(null);
  useMarkup(
    organizationId === '' ? null : `${organizationId} ${slug}`,
    async () => {
      const params = { organization_id: organizationId };
      const [{ data }, markup] = await Promise.all([
        api.getProductCard({ ...params, slug }),
        api.getStructuredData({ ...params, product: slug }),
      ]);
      return { data, markup: markup.data };
    },
    ({ data }) => {
      setCard(data);
      if (data.slug !== slug) go(dishPath(data.slug, organizationId), { replace: true });
    },
  );
  return card;
}

type Props = { product: MenuProduct; card: ProductCard | null; line: CartLine | undefined };

function Dish({ product, card, line }: Props): ReactNode {
  const menu = useShop((state) => state.menu);
  const { name, images, variants } = product;
  const [variantId, setVariantId] = useState(() => firstVariant(product, line).id);
  const [problem, setProblem] = useState('');
  const variant = variants.find(({ id }) => id === variantId) ?? firstVariant(product, line);
  const groups = menu === null ? [] : groupsOf(menu, variant);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const wrong = wrongGroup(data, groups);
        setProblem(wrong);
        if (wrong !== '') return;
        const chosen = {
          variantId: variant.id,
          quantity: Number(data.get('quantity')),
          modifiers: chosenModifiers(data, groups),
        };
        leave();
        void (line === undefined ? addDish(chosen) : changeLine(line.lineId, chosen));
      }}
    >
      <Picture image={images.main} width={800} height={600} isFirst />
      <h1>{name}</h1>
      {product.badges.length > 0 && (
        <p>
          <Badges codes={product.badges} />
        </p>
      )}
      <p>{product.description ?? card?.description ?? ''}</p>
      <p className="quiet">{product.composition ?? card?.composition ?? ''}</p>
      {variants.length > 1 && <Sizes product={product} chosen={variant} onChoice={setVariantId} />}
      {groups.map((group) => (
        <Group key={`${variant.id} ${group.id}`} group={group} line={line} />
      ))}
      <label>
        {t('dish.quantity')}
        <input
          type="number"
          name="quantity"
          min={1}
          max={99}
          defaultValue={line?.quantity ?? 1}
          required
        />
      </label>
      <p role="alert" className={problem === '' ? undefined : 'finding'}>
        {problem}
      </p>
      <div className="action">
        <button className="main" data-key="take" disabled={!variant.available}>
          {variant.available
            ? t(line === undefined ? 'dish.addFor' : 'dish.saveFor', {
                price: rubles(variant.price),
              })
            : t('dish.soldOut')}
        </button>
      </div>
    </form>
  );
}

const firstVariant = ({ variants }: MenuProduct, line: CartLine | undefined): MenuVariant =>
  variants.find(({ id }) => id === line?.variantId) ??
  variants.find(({ isDefault, available }) => isDefault && available) ??
  variants.find(({ available }) => available) ??
  variants[0]!;

const formatOption = (option: MenuVariant['option'], price: number): string =>
  `${option?.name ?? ''} — ${rubles(price)}`;

type SizesProps = {
  product: MenuProduct;
  chosen: MenuVariant;
  onChoice: (variantId: number) => void;
};

const Sizes = ({ product: { variantAxis, variants }, chosen, onChoice }: SizesProps): ReactNode => (
  <fieldset>
    <legend>{variantAxis?.name ?? t('dish.size')}</legend>
    {variants.map(({ id, option, price, available }) => (
      <label key={id} className="option">
        <input
          type="radio"
          name="variant"
          checked={id === chosen.id}
          disabled={!available}
          onChange={() => onChoice(id)}
        />
        {available
          ? formatOption(option, price)
          : t('dish.optionSoldOut', { name: formatOption(option, price) })}
      </label>
    ))}
  </fieldset>
);
