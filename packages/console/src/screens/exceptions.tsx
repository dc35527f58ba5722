import { useState } from 'react';
import { useRead } from '../data/read.ts';
import { usePickedRestaurant } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Block, Page } from '../parts/page.tsx';
import { toParams } from '../pure/filters.ts';
import { t } from '../texts/texts.ts';
import { AddException } from './parts/add-exception.tsx';
import { ExceptionTable } from './parts/exception-table.tsx';

/** Holidays of all restaurants, and present stops of their intake. */
export function Screen() {
  const [search] = useUrl();
  const restaurant = usePickedRestaurant();
  const [now] = useState(() => new Date().toISOString());
  const filters: readonly Filter[] = [
    {
      name: 'now',
      kind: 'choice',
      label: t('exceptions.when'),
      options: [['true', t('exceptions.now')]],
    },
  ];

  const { now: isNow, ...params } = toParams(indexKinds(filters), search);
  const query = useRead('listAllScheduleExceptions', [
    {
      ...params,
      ...(isNow === undefined ? {} : { active_at: now }),
      ...(restaurant === undefined ? {} : { organization_id: restaurant.id }),
    },
  ]);

  return (
    <Page
      manual="holidays"
      title={t('exceptions.title')}
      lead={t('exceptions.lead')}
      actions={<AddException />}
    >
      <Filters filters={filters} />
      <Block needs="listAllScheduleExceptions">
        <ExceptionTable query={query} empty={t('exceptions.noneAnywhere')} hasRestaurants />
      </Block>
    </Page>
  );
}
