import { useAll } from '../../../data/read.ts';
import { useRestaurants } from '../../../data/restaurants.ts';
import { Resource } from '../../../parts/resource.tsx';
import { Money, When } from '../../../parts/values.tsx';
import { t } from '../../../texts/texts.ts';

export function ZoneOverrides() {
  const zones = useAll('listDeliveryZones', {});
  const restaurants = useRestaurants();
  // Restaurants may have zones of the same name.
  const options = (zones.data?.items ?? []).map(({ id, name, displayName, organizationId }) => {
    const restaurant = restaurants.find((each) => each.id === organizationId)?.name;
    return [String(id), [displayName ?? name, restaurant].filter(Boolean).join(' · ')] as const;
  });

  return (
    <Resource
      isBlock
      title={t('overrides.title')}
      list="listZoneOverrides"
      rowId={({ id }) => String(id)}
      empty={t('overrides.none')}
      columns={[
        {
          id: 'zone',
          header: t('zones.name'),
          cell: ({ zoneId }) =>
            options.find(([id]) => Number(id) === zoneId)?.[1] ?? String(zoneId),
        },
        {
          id: 'sum',
          header: t('zones.minimum'),
          isNumber: true,
          cell: ({ minOrderSum }) => <Money amount={minOrderSum} />,
        },
        {
          id: 'fee',
          header: t('zones.fee'),
          isNumber: true,
          cell: ({ deliveryFee }) => <Money amount={deliveryFee} />,
        },
        {
          id: 'from',
          header: t('overrides.from'),
          cell: ({ validFrom }) => <When at={validFrom} />,
        },
        { id: 'to', header: t('overrides.to'), cell: ({ validTo }) => <When at={validTo} /> },
      ]}
      fields={(row) => [
        ...(row === undefined
          ? [
              {
                name: 'zoneId',
                kind: 'choice',
                isNumeric: true,
                label: t('zones.name'),
                isRequired: true,
                options,
              } as const,
            ]
          : []),
        { name: 'minOrderSum', kind: 'number', label: t('zones.minimum'), min: 0 },
        { name: 'deliveryFee', kind: 'number', label: t('zones.fee'), min: 0 },
        { name: 'validFrom', kind: 'moment', label: t('overrides.from') },
        { name: 'validTo', kind: 'moment', label: t('overrides.to') },
      ]}
      create={{ operation: 'createZoneOverride', label: t('overrides.create') }}
      edit={{ operation: 'updateZoneOverride', read: 'getZoneOverride', key: ({ id }) => ({ id }) }}
      remove={{
        operation: 'deleteZoneOverride',
        key: ({ id }) => ({ id }),
        label: t('action.delete'),
        text: () => t('overrides.deleteText'),
      }}
    />
  );
}
