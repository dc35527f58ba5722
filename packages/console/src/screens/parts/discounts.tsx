import { useProfile } from '../../data/access.tsx';
import type { Field } from '../../parts/form.tsx';
import css from '../../parts/parts.module.css';
import { Resource } from '../../parts/resource.tsx';
import { Money, Status, When } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';

const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '7'];

const discountFields = (isNew: boolean): readonly Field[] => [
  ...(isNew
    ? [{ name: 'code', kind: 'text', label: t('badges.code'), isRequired: true } as const]
    : []),
  { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
  {
    name: 'percent',
    kind: 'number',
    label: t('discounts.percent'),
    hint: t('discounts.either'),
    min: 0,
    max: 100,
  },
  { name: 'amount', kind: 'number', label: t('discounts.amount'), min: 0 },
  { name: 'minSubtotal', kind: 'number', label: t('discounts.minSubtotal'), min: 0 },
  { name: 'startsAt', kind: 'moment', label: t('overrides.from') },
  { name: 'endsAt', kind: 'moment', label: t('overrides.to') },
  { name: 'fromTime', kind: 'time', label: t('discounts.fromTime') },
  { name: 'toTime', kind: 'time', label: t('discounts.toTime') },
  {
    name: 'weekdays',
    kind: 'choices',
    isNumeric: true,
    isNullable: true,
    label: t('discounts.weekdays'),
    options: WEEKDAYS.map((day) => [day, code('weekday', day)]),
  },
  {
    name: 'fulfillmentTypes',
    kind: 'choices',
    isNullable: true,
    label: t('orders.fulfillment'),
    options: ['DELIVERY', 'PICKUP'].map((value) => [value, code('fulfillment', value)]),
  },
  {
    name: 'organizationIds',
    kind: 'restaurants',
    label: t('discounts.restaurants'),
    hint: t('discounts.restaurantsHint'),
  },
  { name: 'totalUses', kind: 'number', label: t('discounts.totalUses'), min: 1 },
  { name: 'oncePerCustomer', kind: 'flag', label: t('discounts.oncePerCustomer') },
  { name: 'firstOrderOnly', kind: 'flag', label: t('discounts.firstOrderOnly') },
  { name: 'isCombinable', kind: 'flag', label: t('discounts.isCombinable') },
  { name: 'needsPromocode', kind: 'flag', label: t('discounts.needsPromocode') },
  { name: 'isActive', kind: 'flag', label: t('rewards.isActive') },
];

/** Formats the number of uses, with the limit if there is one. */
export const formatUses = (uses: number, usesLeft: number | null): string =>
  usesLeft === null ? String(uses) : `${uses} / ${uses + usesLeft}`;

export function Discounts() {
  const isLimited = useProfile().organizationIds !== null;

  return (
    <Resource
      isBlock
      title={t('offers.discounts')}
      list="listDiscounts"
      rowId={({ id }) => String(id)}
      empty={t('discounts.none')}
      columns={[
        { id: 'name', header: t('product.name'), cell: ({ name }) => name },
        { id: 'code', header: t('badges.code'), cell: ({ code: value }) => <code>{value}</code> },
        {
          id: 'value',
          header: t('discounts.value'),
          isNumber: true,
          cell: ({ percent, amount }) =>
            percent === null ? <Money amount={amount} /> : `${percent} %`,
        },
        {
          id: 'from',
          header: t('discounts.minSubtotal'),
          isNumber: true,
          cell: ({ minSubtotal }) => <Money amount={minSubtotal} />,
        },
        {
          id: 'restaurants',
          header: t('discounts.restaurants'),
          cell: ({ organizationIds, otherOrganizations }) => (
            <>
              {organizationIds === null ? t('filter.all') : organizationIds.length}
              {otherOrganizations > 0 && (
                <div className={css['muted']}>
                  {t('discounts.others', { count: otherOrganizations })}
                </div>
              )}
            </>
          ),
        },
        { id: 'until', header: t('overrides.to'), cell: ({ endsAt }) => <When at={endsAt} /> },
        {
          id: 'uses',
          header: t('discounts.uses'),
          isNumber: true,
          cell: ({ uses, usesLeft }) => formatUses(uses, usesLeft),
        },
        {
          id: 'active',
          header: t('rewards.isActive'),
          cell: ({ isActive }) => (
            <Status tone={isActive ? 'good' : 'plain'}>
              {t(isActive ? 'filter.yes' : 'filter.no')}
            </Status>
          ),
        },
      ]}
      fields={(row) => discountFields(row === undefined)}
      defaults={{ isActive: true, minSubtotal: 0 }}
      create={{ operation: 'createDiscount', label: t('discounts.create') }}
      edit={{
        operation: 'editDiscount',
        read: 'getDiscount',
        key: ({ id }) => ({ id }),
      }}
      remove={{
        operation: 'deleteDiscount',
        key: ({ id }) => ({ id }),
        label: t('action.delete'),
        text: ({ name }) => t('action.deleteText', { name }),
      }}
      reason={({ organizationIds, otherOrganizations }) => {
        if (isLimited && organizationIds === null) return t('discounts.ofChain');
        return otherOrganizations > 0 ? t('discounts.shared') : null;
      }}
    />
  );
}
