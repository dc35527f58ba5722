import { useAction } from '../data/action.ts';
import { useAll } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import type { Field } from '../parts/form.tsx';
import { Resource } from '../parts/resource.tsx';
import { Status } from '../parts/values.tsx';
import { code, t } from '../texts/texts.ts';

const TONES = { OK: 'good', LIMITED: 'warn', BROKEN: 'bad', UNKNOWN: 'plain' } as const;

/** Gifts that can be promised, and whether restaurants can give them. */
export function Screen() {
  const check = useAction('checkReward');
  const items = useAll('listErpItems', { sort: ['name,asc'] });
  const dishes = (items.data?.items ?? []).map(
    ({ itemId, name, sku }) => [itemId, `${name} ${sku ?? ''}`] as const,
  );
  const fields = (isNew: boolean): readonly Field[] => [
    ...(isNew
      ? [{ name: 'code', kind: 'text', label: t('badges.code'), isRequired: true } as const]
      : []),
    { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
    {
      name: 'erpItemId',
      kind: 'choice',
      label: t('incident.dish'),
      isRequired: true,
      options: dishes,
    },
    { name: 'defaultTermDays', kind: 'number', label: t('rewards.term'), min: 1 },
    {
      name: 'defaultReason',
      kind: 'choice',
      label: t('form.reason'),
      options: ['LATE_DELIVERY', 'SERVICE_ERROR', 'OTHER'].map((value) => [
        value,
        code('giftReason', value),
      ]),
    },
    { name: 'isActive', kind: 'flag', label: t('rewards.isActive') },
  ];

  return (
    <Resource
      title={t('rewards.title')}
      lead={t('rewards.lead')}
      list="listRewards"
      filters={[{ name: 'is_active', kind: 'flag', label: t('rewards.isActive') }]}
      rowId={({ id }) => String(id)}
      empty={t('rewards.none')}
      columns={[
        { id: 'name', header: t('product.name'), sort: 'name', cell: ({ name }) => name },
        {
          id: 'code',
          header: t('badges.code'),
          sort: 'code',
          cell: ({ code: value }) => <code>{value}</code>,
        },
        {
          id: 'health',
          header: t('rewards.health'),
          cell: ({ health }) => (
            <Status tone={TONES[health.state]}>
              {[
                code('rewardHealth', health.state),
                ...health.reasons.map((reason) => code('rewardReason', reason)),
              ].join(': ')}
            </Status>
          ),
        },
        {
          id: 'term',
          header: t('rewards.term'),
          isNumber: true,
          cell: ({ defaultTermDays }) => (defaultTermDays === null ? '—' : String(defaultTermDays)),
        },
        {
          id: 'active',
          header: t('rewards.isActive'),
          sort: 'isActive',
          cell: ({ isActive }) => t(isActive ? 'filter.yes' : 'filter.no'),
        },
      ]}
      fields={(row) => fields(row === undefined)}
      defaults={{ isActive: true, defaultReason: 'OTHER' }}
      create={{ operation: 'createReward', label: t('rewards.create') }}
      edit={{ operation: 'editReward', read: 'getReward', key: ({ id }) => ({ id }) }}
      more={({ id }) => (
        <ActionButton small action={check} label={t('rewards.check')} input={() => [{ id }]} />
      )}
    />
  );
}
