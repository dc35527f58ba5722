import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAccess } from '../data/access.tsx';
import { useRead } from '../data/read.ts';
import { useRestaurants } from '../data/restaurants.ts';
import { Dialog } from '../parts/dialog.tsx';
import { t } from '../texts/texts.ts';
import css from './frame.module.css';
import { Palette, type Hit } from './palette.tsx';

const TYPING_MS = 250;
const FEWEST = 2;
const PHONE = /^\+?[\d\s()-]{10,18}$/;
const RUN = /^#?\d{1,12}$/;

/** Searches orders, phones, SKUs, products, restaurants and runs: Ctrl K. */
export function FindBox() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.code === 'KeyK') {
        event.preventDefault();
        setOpen(true);
      }
    };

    addEventListener('keydown', press);

    return () => removeEventListener('keydown', press);
  }, []);

  return (
    <>
      <button type="button" className={css['find']} onClick={() => setOpen(true)}>
        {t('find.open')} <kbd>Ctrl K</kbd>
      </button>
      <Dialog title={t('find.title')} isOpen={isOpen} onClose={() => setOpen(false)} isBox>
        <Results close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** Returns the typed text once the person pauses. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);

  return settled;
}

function Results({ close }: { close: () => void }) {
  const [query, setQuery] = useState('');
  const q = useSettled(query);
  const { hits, isPending } = useHits(q, close);
  const isSearching = isPending || query.trim() !== q;

  return (
    <Palette
      label={t('find.label')}
      hits={isSearching ? [] : hits}
      isPending={isSearching}
      query={query}
      change={setQuery}
      hint={t(
        query.trim().length < FEWEST ? 'find.hint' : isSearching ? 'state.loading' : 'find.none',
      )}
    />
  );
}

/** `isPending` is true until the answer for this text arrives. */
function useHits(q: string, close: () => void): { hits: Hit[]; isPending: boolean } {
  const navigate = useNavigate();
  const lacks = useAccess();
  const isTyped = q.length >= FEWEST;
  const isPhone = PHONE.test(q);
  const may = (operation: Parameters<typeof lacks>[0]) => isTyped && lacks(operation) === null;
  const orders = useRead('listStaffOrders', [{ q, size: 5 }], {
    enabled: may('listStaffOrders') && !isPhone,
  });
  const products = useRead('listProducts', [{ q, size: 6 }], {
    enabled: may('listProducts') && !isPhone,
  });
  const restaurants = useRestaurants(isTyped).filter(({ name }) =>
    name.toLowerCase().includes(q.toLowerCase()),
  );
  if (!isTyped) return { hits: [], isPending: false };
  const isPending = [orders, products].some(
    ({ data, isFetching, isPlaceholderData }) =>
      isFetching && (data === undefined || isPlaceholderData),
  );

  const hit = (id: string, label: string, kind: string, to: string, search: object = {}): Hit => ({
    id,
    label,
    kind,
    choose: () => {
      void navigate({ to, search: search as never });
      close();
    },
  });

  const hits = [
    ...(isPhone && may('findClient')
      ? [hit('guest', q, t('find.guest'), '/guest', { phone: q })]
      : []),
    ...(isPhone ? [] : (orders.data?.items ?? [])).map(({ orderId, number }) =>
      hit(orderId, number, t('find.order'), `/orders/${orderId}`),
    ),
    ...(isPhone ? [] : (products.data?.items ?? [])).flatMap(({ id, name }) => [
      hit(`missing-${id}`, name, t('find.missing'), '/missing', { product: id }),
      hit(`product-${id}`, name, t('find.product'), `/products/${id}`),
    ]),
    ...restaurants
      .slice(0, 5)
      .map(({ id, name }) =>
        hit(`restaurant-${id}`, name, t('find.restaurant'), '/missing', { restaurant: String(id) }),
      ),
    ...(RUN.test(q) && may('getSyncRun')
      ? [hit('run', q, t('find.run'), `/sync/runs/${q.replace('#', '')}`)]
      : []),
  ];

  return { hits, isPending };
}
