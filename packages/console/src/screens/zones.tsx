import { useState } from 'react';
import { useAction } from '../data/action.ts';
import type { Data } from '../data/api.ts';
import { call, useAll } from '../data/read.ts';
import { usePickedRestaurant, useRestaurants } from '../data/restaurants.ts';
import { Button } from '../parts/button.tsx';
import { Table } from '../parts/data-table.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Block, Facts, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { ErrorState, Loaded } from '../parts/states.tsx';
import { Money, Status } from '../parts/values.tsx';
import { code, needs, t } from '../texts/texts.ts';
import { ZoneMap } from './parts/zone-map.tsx';
import { ZoneOverrides } from './parts/zone-overrides.tsx';

type Zone = Data<'getDeliveryZone'>;

/** Delivery zones: a map, a list next to it, and the terms at a point. */
export function Screen() {
  const restaurant = usePickedRestaurant();
  const restaurants = useRestaurants();
  const query = useAll('listDeliveryZones', restaurant === undefined ? {} : { organization_id: restaurant.id });
  const explain = useAction('explainDelivery');
  const edit = useAction('updateDeliveryZone');
  const [answer, setAnswer] = useState<Data<'explainDelivery'> | null>(null);
  const [zone, setZone] = useState<Zone | null>(null);
  const ask = (latitude: number, longitude: number) =>
    void explain.run({ coords: [longitude, latitude] }).then(setAnswer, () => setAnswer(null));
  return (
    <Page title={t('zones.title')} lead={t('zones.lead')}>
      <Loaded query={query}>
        {({ items }) => (
          <div className={css['columns']}>
            <Block title={t('zones.map')}>
              <ZoneMap zones={items} highlighted={answer?.candidates.map(({ zoneId }) => zoneId) ?? []} ask={ask} />
              {explain.error !== null && <ErrorState error={explain.error} />}
              {answer !== null && <Terms answer={answer} />}
            </Block>
            <Block title={t('zones.list')}>
              <Table
                label={t('zones.list')}
                rows={items}
                rowId={({ id }) => String(id)}
                empty={{ text: t('zones.none') }}
                columns={[
                  { id: 'name', header: t('zones.name'), cell: ({ name, displayName }) => displayName ?? name },
                  {
                    id: 'restaurant',
                    header: t('missing.restaurant'),
                    cell: ({ organizationId }) => restaurants.find(({ id }) => id === organizationId)?.name ?? '—',
                  },
                  {
                    id: 'sum',
                    header: t('zones.minimum'),
                    isNumber: true,
                    cell: ({ currentTerms }) => <Money amount={currentTerms?.minOrderSum} />,
                  },
                  {
                    id: 'fee',
                    header: t('zones.fee'),
                    isNumber: true,
                    cell: ({ currentTerms }) => <Money amount={currentTerms?.deliveryFee} />,
                  },
                  {
                    id: 'active',
                    header: t('rewards.isActive'),
                    cell: ({ isActive }) => (
                      <Status tone={isActive ? 'good' : 'plain'}>{t(isActive ? 'filter.yes' : 'filter.no')}</Status>
                    ),
                  },
                  {
                    id: 'edit',
                    header: t('table.actions'),
                    cell: (row) => (
                      <Button small reason={needs(edit.lacks)} onPress={() => setZone(row)}>
                        {t('action.edit')}
                      </Button>
                    ),
                  },
                ]}
              />
            </Block>
          </div>
        )}
      </Loaded>
      <ZoneOverrides />
      <Dialog title={zone?.name ?? ''} isOpen={zone !== null} onClose={() => setZone(null)}>
        {zone !== null && (
          <Form
            fields={[
              { name: 'displayName', kind: 'text', label: t('zones.displayName') },
              { name: 'priority', kind: 'number', label: t('zones.priority') },
              { name: 'texts.description', kind: 'long', label: t('product.description') },
              { name: 'texts.notice', kind: 'long', label: t('zones.notice') },
            ]}
            record={zone}
            reload={() => call('getDeliveryZone', [{ id: zone.id }], {})}
            save={async (body) => {
              await edit.run({ id: zone.id }, body as never);
              setZone(null);
            }}
            onCancel={() => setZone(null)}
          />
        )}
      </Dialog>
    </Page>
  );
}

/** The terms of a delivery to the clicked point, and the rule that decided. */
function Terms({ answer: { rule, candidates } }: { answer: Data<'explainDelivery'> }) {
  return (
    <div className={css['stack']} role="status">
      <strong>{code('deliveryRule', rule)}</strong>
      {candidates.map((zone) => (
        <Facts
          key={zone.zoneId}
          facts={[
            [t('zones.name'), zone.name],
            [t('zones.minimum'), <Money key="m" amount={zone.minOrderSum} />],
            [t('zones.fee'), <Money key="f" amount={zone.deliveryFee} />],
            [t('zones.minutes'), zone.deliveryDurationMinutes === null ? null : String(zone.deliveryDurationMinutes)],
            [t('zones.served'), t(zone.isServedNow ? 'filter.yes' : 'filter.no')],
          ]}
        />
      ))}
    </div>
  );
}
