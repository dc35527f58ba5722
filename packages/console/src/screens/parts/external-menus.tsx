import { useAll } from '../../data/read.ts';
import { Resource } from '../../parts/resource.tsx';
import { Status, When } from '../../parts/values.tsx';
import { t } from '../../texts/texts.ts';

export function ExternalMenus() {
  const categories = useAll('listPriceCategories', {});
  const options = (categories.data?.items ?? []).map(({ erpId, name }) => [erpId, name] as const);

  return (
    <Resource
      isBlock
      title={t('connections.menus')}
      list="listExternalMenus"
      rowId={({ id }) => String(id)}
      empty={t('connections.noMenus')}
      columns={[
        { id: 'name', header: t('product.name'), cell: ({ name, erpId }) => `${name} (${erpId})` },
        {
          id: 'on',
          header: t('payments.isEnabled'),
          cell: ({ isEnabled, isActive }) => (
            <Status tone={isEnabled && isActive ? 'good' : 'plain'}>
              {t(isEnabled && isActive ? 'filter.yes' : 'filter.no')}
            </Status>
          ),
        },
        {
          id: 'priority',
          header: t('zones.priority'),
          isNumber: true,
          cell: ({ priority }) => String(priority),
        },
        {
          id: 'restaurants',
          header: t('products.restaurants'),
          cell: ({ organizationIds }) =>
            organizationIds === null ? t('filter.all') : String(organizationIds.length),
        },
        {
          id: 'prices',
          header: t('connections.priceCategory'),
          cell: ({ priceCategoryId }) =>
            priceCategoryId === null
              ? t('connections.basePrices')
              : (options.find(([erpId]) => erpId === priceCategoryId)?.[1] ?? (
                  <code>{priceCategoryId}</code>
                )),
        },
        {
          id: 'imported',
          header: t('connections.imported'),
          cell: ({ importedAt }) => <When at={importedAt} />,
        },
      ]}
      fields={() => [
        { name: 'isEnabled', kind: 'flag', label: t('payments.isEnabled') },
        { name: 'priority', kind: 'number', label: t('zones.priority'), min: 0 },
        {
          name: 'organizationIds',
          kind: 'restaurants',
          label: t('discounts.restaurants'),
          hint: t('discounts.restaurantsHint'),
        },
        {
          name: 'priceCategoryId',
          kind: 'choice',
          label: t('connections.priceCategory'),
          hint: t('connections.priceCategoryHint'),
          options,
        },
        { name: 'isAsync', kind: 'flag', label: t('connections.isAsync') },
      ]}
      edit={{ operation: 'updateExternalMenu', key: ({ id }) => ({ id }) }}
    />
  );
}
