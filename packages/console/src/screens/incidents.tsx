import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../data/read.ts';
import { usePickedRestaurant } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Block, Page } from '../parts/page.tsx';
import type { ItemOf } from '../parts/resource.tsx';
import { CodeStatus, When } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { code, t } from '../texts/texts.ts';
import { IncidentBulk } from './parts/incident-bulk.tsx';

type Row = ItemOf<'listBindingIncidents'>;

const filters = (): readonly Filter[] => [
  {
    name: 'status',
    kind: 'choice',
    label: t('incidents.status'),
    options: ['OPEN', 'SNOOZED', 'CLOSED'].map((value) => [value, code('incidentStatus', value)]),
  },
  {
    name: 'severity',
    kind: 'choice',
    label: t('notifications.severity'),
    options: ['CRITICAL', 'INFO'].map((value) => [value, code('severity', value)]),
  },
  {
    name: 'type',
    kind: 'choice',
    label: t('incidents.type'),
    options: TYPES.map((value) => [value, code('incidentType', value)]),
  },
];

const TYPES = ['ITEM_MISSING', 'NAME_CHANGED', 'POSSIBLE_REPLACEMENT'];

/** Dishes that changed in the ERP, and the effect on guests. */
export function Screen() {
  const [search] = useUrl();
  const restaurant = usePickedRestaurant();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const ofRestaurant = restaurant === undefined ? {} : { organization_id: restaurant.id };
  const query = useRead('listBindingIncidents', [
    { ...toParams(indexKinds(filters()), search), ...ofRestaurant },
  ]);

  return (
    <Page title={t('incidents.title')} lead={t('incidents.lead')}>
      <Filters filters={filters()} />
      <IncidentBulk ids={[...ids].map(Number)} onDone={() => setIds(new Set())} />
      <Block needs="listBindingIncidents">
        <DataTable
          label={t('incidents.title')}
          query={query}
          columns={columns()}
          rowId={({ id }) => String(id)}
          empty={{ text: t('incidents.none') }}
          selection={{ ids, change: setIds }}
        />
      </Block>
    </Page>
  );
}

const columns = (): readonly Column<Row>[] => [
  {
    id: 'product',
    header: t('incidents.product'),
    cell: ({ id, product, variant }) => (
      <Link to={`/incidents/${id}`}>
        {product.name}
        {variant.optionName !== null && `, ${variant.optionName}`}
      </Link>
    ),
  },
  { id: 'type', header: t('incidents.type'), cell: ({ type }) => code('incidentType', type) },
  {
    id: 'last',
    header: t('incidents.lastKnown'),
    cell: ({ lastKnown, newName }) => newName ?? lastKnown.name ?? '—',
  },
  {
    id: 'severity',
    header: t('notifications.severity'),
    sort: 'severity',
    cell: ({ severity }) => <CodeStatus group="severity" value={severity} />,
  },
  {
    id: 'status',
    header: t('incidents.status'),
    cell: ({ status }) => <CodeStatus group="incidentStatus" value={status} />,
  },
  {
    id: 'at',
    header: t('incidents.detected'),
    sort: 'detectedAt',
    cell: ({ detectedAt }) => <When at={detectedAt} />,
  },
];
