import type { ReactNode } from 'react';
import type { Cart, CartGift, CartLine } from '@carte/client/storefront';
import { addUnits, applyPromocode } from '../cart.ts';
import { readText, rubles } from '../format.ts';
import { dishPath, go, Link } from '../routes.tsx';
import { findProduct, shop, useShop } from '../store.ts';
import { t } from '../texts.ts';
import { Picture } from './picture.tsx';

export const isEmpty = (cart: Cart | null): cart is null =>
  cart === null || (cart.lines.length === 0 && cart.changes.length === 0);

export function CartLines({ canCheckOut = false }: { canCheckOut?: boolean }): ReactNode {
  const cart = useShop((state) => state.cart);
  if (isEmpty(cart))
    return (
      <div id="cart">
        <p className="quiet">{t('cart.empty')}</p>
      </div>
    );
  return (
    <div id="cart">
      <ul>
        {cart.lines.map((line) => (
          <Line key={line.lineId} line={line} />
        ))}
      </ul>
      {cart.changes.map(({ name, message }, at) => (
        <p key={at} className="finding">{`${name}: ${message}`}</p>
      ))}
      <Gifts cart={cart} />
      {cart.serviceItems
        .filter(({ hidden }) => !hidden)
        .map(({ role, name, quantity, lineTotal }) => (
          <Sum key={role} text={`${name} × ${quantity}`} money={lineTotal} />
        ))}
      {cart.discounts.map(({ code, name, applied, amount, message }) =>
        applied ? (
          <Sum key={code} text={name} money={-amount} />
        ) : (
          <p key={code} className="quiet">{`${name}: ${message ?? ''}`}</p>
        ),
      )}
      {cart.deliveryFee > 0 && <Sum text={t('cart.delivery')} money={cart.deliveryFee} />}
      <Promocode key={cart.promocode} promocode={cart.promocode ?? ''} />
      <div className="action">
        <p className="row" id="total">
          <strong>{t('cart.total')}</strong>
          <strong>{rubles(cart.total)}</strong>
        </p>
        {canCheckOut && (
          <button
            type="button"
            className="main"
            data-key="checkout"
            onClick={() => go('/checkout')}
          >
            {t('cart.checkOut')}
          </button>
        )}
      </div>
    </div>
  );
}

const Sum = ({ text, money }: { text: string; money: number }): ReactNode => (
  <p className="row">
    <span>{text}</span>
    <span>{rubles(money)}</span>
  </p>
);

/** Gifts that the server adds for the customer. They cannot be ordered. */
function Gifts({ cart: { gifts, giftsReadAt } }: { cart: Cart }): ReactNode {
  if (gifts.length === 0) return null;
  const gift = ({ id, name, quantity, price, image, available, included }: CartGift) => (
    <li key={id} className="row">
      {image !== null && <Picture image={image} width={64} height={64} isFirst />}
      <span>
        {`${name} × ${quantity}`}
        {!included && (
          <small className="quiet">{` — ${t(available ? 'gift.nextTime' : 'gift.kept')}`}</small>
        )}
      </span>
      <span>{rubles(price)}</span>
    </li>
  );
  return (
    <section id="gifts" aria-labelledby="gifts-title" tabIndex={-1}>
      <h3 id="gifts-title">{t('gift.title')}</h3>
      <ul>{gifts.map(gift)}</ul>
      {giftsReadAt !== undefined && <p className="quiet">{t('gift.outdated')}</p>}
    </section>
  );
}

function Line({ line }: { line: CartLine }): ReactNode {
  const {
    lineId,
    name,
    variantName,
    image,
    modifiers,
    quantity,
    lineTotal,
    available,
    priceChanged,
    variantId,
  } = line;
  useShop((state) => state.menu);
  const product = findProduct(variantId)?.product;
  const canChange = product !== undefined && (modifiers.length > 0 || product.variants.length > 1);
  const button = (text: string, action: 'less' | 'more' | 'edit', onClick: () => void) => (
    <button
      type="button"
      aria-label={`${t(`cart.${action}`)}: ${name}`}
      data-key={`${action} ${lineId}`}
      onClick={onClick}
    >
      {text}
    </button>
  );
  return (
    <li>
      <div className="row">
        {image !== null && <Picture image={image} width={48} height={48} isFirst />}
        <span className="name">{variantName === null ? name : `${name}, ${variantName}`}</span>
        <span>{rubles(lineTotal)}</span>
      </div>
      {modifiers.length > 0 && (
        <p className="quiet">
          {modifiers
            .map((each) => `${each.name}${each.quantity > 1 ? ` × ${each.quantity}` : ''}`)
            .join(', ')}
        </p>
      )}
      {priceChanged && <p className="finding warning">{t('cart.priceChanged')}</p>}
      {!available && <p className="finding">{t('cart.unavailable')}</p>}
      <div className="row">
        <span>
          {button('−', 'less', () => void addUnits(lineId, -1))}
          {` ${quantity} `}
          {button('+', 'more', () => void addUnits(lineId, 1))}
        </span>
        {canChange && button(t('cart.edit'), 'edit', () => editLine(line))}
      </div>
    </li>
  );
}

/** Opens the page of the dish with the values of the line. */
export function editLine({ lineId, variantId }: Pick<CartLine, 'lineId' | 'variantId'>): void {
  const product = findProduct(variantId)?.product;
  const { organizationId } = shop();
  if (product !== undefined) go(`${dishPath(product.slug, organizationId)}&line=${lineId}`);
}

function Promocode({ promocode }: { promocode: string }): ReactNode {
  return (
    <form
      className="promocode"
      onSubmit={(event) => {
        event.preventDefault();
        void applyPromocode(readText(new FormData(event.currentTarget), 'promocode'));
      }}
    >
      <label>
        {t('cart.promocode')}
        <input
          name="promocode"
          maxLength={50}
          defaultValue={promocode}
          autoComplete="off"
          data-key="promocode"
        />
      </label>
      <button data-key="promocode-use">{t('cart.apply')}</button>
    </form>
  );
}

/** The link to the cart on a phone, visible while the cart is not empty. */
export function CartBar(): ReactNode {
  const cart = useShop((state) => state.cart);
  if (isEmpty(cart)) return null;
  const count = cart.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <nav className="bar" aria-label={t('cart.open')}>
      <Link to="/cart">
        <span>{t('cart.units', { count })}</span>
        <strong>{rubles(cart.total)}</strong>
      </Link>
    </nav>
  );
}
