import { useSyncExternalStore } from 'react';
import type {
  Cart,
  Menu,
  MenuProduct,
  MenuVariant,
  Organization,
  StorefrontContext,
} from '@carte/client/storefront';
import type { Language } from './languages.ts';

export type State = {
  language: Language;
  organizations: readonly Organization[];
  organizationId: string;
  context: StorefrontContext | null;
  menu: Menu | null;
  search: { q: string; facets: ReadonlySet<string> };
  cart: Cart | null;
  /** A problem that screen readers announce at once. */
  message: string;
  /** A change that screen readers announce at their next pause. */
  news: string;
};

export const NO_SEARCH: State['search'] = { q: '', facets: new Set() };

let state: State = {
  language: 'ru',
  organizations: [],
  organizationId: '',
  context: null,
  menu: null,
  search: NO_SEARCH,
  cart: null,
  message: '',
  news: '',
};
const listeners = new Set<() => void>();

export const shop = (): State => state;

export function update(changes: Partial<State>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Selects a part of the state. The component is rendered again when that part changes. */
export const useShop = <T>(select: (state: State) => T): T =>
  useSyncExternalStore(subscribe, () => select(state));

export const canBeOrdered = (product: MenuProduct): boolean =>
  product.variants.some(({ available }) => available);

export function findProduct(
  variantId: number,
): { product: MenuProduct; variant: MenuVariant } | null {
  for (const product of state.menu?.products ?? [])
    for (const variant of product.variants)
      if (variant.id === variantId) return { product, variant };
  return null;
}
