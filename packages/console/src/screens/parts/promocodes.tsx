import { useAll } from '../../data/read.ts';
import { Resource } from '../../parts/resource.tsx';
import { t } from '../../texts/texts.ts';
import { formatUses } from './discounts.tsx';
import { PromocodeBulk } from './promocode-bulk.tsx';

export function Promocodes() {
  const discounts = useAll('listDiscounts', {});
  const all = discounts.data?.items ?? [];
  // Other discounts apply without a code.
  const options = all
    .filter(({ needsPromocode }) => needsPromocode)
    .map(({ id, name }) => [String(id), name] as const);

  return (
    <Resource
      isBlock
      title={t('offers.promocodes')}
      filters={[{ name: 'discount_id', kind: 'choice', label: t('promocodes.discount'), options }]}
      actions={<PromocodeBulk discounts={options} />}
      list="listPromocodes"
      rowId={({ id }) => String(id)}
      empty={t('promocodes.none')}
      columns={[
        {
          id: 'code',
          header: t('badges.code'),
          sort: 'code',
          cell: ({ code: value }) => <code>{value}</code>,
        },
        {
          id: 'discount',
          header: t('promocodes.discount'),
          cell: ({ discountId }) => all.find(({ id }) => id === discountId)?.name ?? '—',
        },
        {
          id: 'customer',
          header: t('promocodes.customer'),
          cell: ({ customerId }) =>
            customerId === null ? t('filter.all') : <code>{customerId}</code>,
        },
        {
          id: 'uses',
          header: t('promocodes.uses'),
          isNumber: true,
          cell: ({ uses, usesLeft }) => formatUses(uses, usesLeft),
        },
        {
          id: 'active',
          header: t('rewards.isActive'),
          sort: 'isActive',
          cell: ({ isActive }) => t(isActive ? 'filter.yes' : 'filter.no'),
        },
      ]}
      fields={(row) => [
        ...(row === undefined
          ? [{ name: 'code', kind: 'text', label: t('badges.code'), isRequired: true } as const]
          : []),
        {
          name: 'discountId',
          kind: 'choice',
          isNumeric: true,
          label: t('promocodes.discount'),
          isRequired: true,
          options,
        },
        {
          name: 'customerId',
          kind: 'text',
          label: t('promocodes.customer'),
          hint: t('promocodes.customerHint'),
        },
        { name: 'isActive', kind: 'flag', label: t('rewards.isActive') },
      ]}
      defaults={{ isActive: true }}
      create={{ operation: 'createPromocode', label: t('promocodes.create') }}
      edit={{ operation: 'editPromocode', read: 'getPromocode', key: ({ id }) => ({ id }) }}
      remove={{
        operation: 'deletePromocode',
        key: ({ id }) => ({ id }),
        label: t('action.delete'),
        text: ({ code: value }) => t('action.deleteText', { name: value }),
      }}
    />
  );
}
