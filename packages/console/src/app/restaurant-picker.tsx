import { useState } from 'react';
import { usePickedRestaurant, useRestaurants } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { t } from '../texts/texts.ts';
import { Palette, type Hit } from './palette.tsx';

const MOST = 50;

/** Stores the restaurant in the URL. */
export function RestaurantPicker() {
  const [isOpen, setOpen] = useState(false);
  const picked = usePickedRestaurant();

  return (
    <>
      <Button
        small
        onPress={() => setOpen(true)}
        label={t('picker.label', { name: picked?.name ?? t('picker.all') })}
      >
        {picked?.name ?? t('picker.all')} ▾
      </Button>
      <Dialog title={t('picker.title')} isOpen={isOpen} onClose={() => setOpen(false)} isBox>
        <Choices close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function Choices({ close }: { close: () => void }) {
  const all = useRestaurants();
  const [, change] = useUrl();
  const [query, setQuery] = useState('');
  const choose = (id: string | undefined) => {
    change({ restaurant: id, page: undefined });
    close();
  };

  const found = all.filter(({ name, address }) =>
    `${name} ${address ?? ''}`.toLowerCase().includes(query.toLowerCase()),
  );
  const hits: Hit[] = [
    ...(query === ''
      ? [{ id: 'all', label: t('picker.all'), choose: () => choose(undefined) }]
      : []),
    ...found.slice(0, MOST).map(({ id, name, address }) => ({
      id: String(id),
      label: name,
      ...(address === null ? {} : { kind: address }),
      choose: () => choose(String(id)),
    })),
  ];

  return (
    <Palette
      label={t('picker.find')}
      hits={hits}
      query={query}
      change={setQuery}
      hint={t('picker.none')}
    />
  );
}
