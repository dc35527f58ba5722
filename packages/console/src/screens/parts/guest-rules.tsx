import { useAll } from '../../data/read.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import type { Field } from '../../parts/form.tsx';
import { Resource } from '../../parts/resource.tsx';
import { CodeStatus, When } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';

function useRestaurantField(): Field {
  const restaurants = useRestaurants();
  return {
    name: 'organizationId',
    kind: 'choice',
    isNumeric: true,
    label: t('missing.restaurant'),
    hint: t('rules.allRestaurants'),
    options: restaurants.map(({ id, name }) => [String(id), name]),
  };
}

const period = (): readonly Field[] => [
  { name: 'activeFrom', kind: 'moment', label: t('overrides.from') },
  { name: 'activeTo', kind: 'moment', label: t('overrides.to') },
];

const pickKey = ({ id }: { id: number }) => ({ id });
const removal = () => ({ label: t('action.delete'), text: () => t('rules.deleteText') });

export function Notices() {
  const restaurant = useRestaurantField();
  return (
    <Resource
      isBlock
      title={t('offers.notices')}
      list="listGuestNotices"
      rowId={({ id }) => String(id)}
      empty={t('notices.none')}
      columns={[
        {
          id: 'title',
          header: t('notices.heading'),
          cell: ({ title }) => <span translate="no">{title}</span>,
        },
        {
          id: 'severity',
          header: t('notifications.severity'),
          cell: ({ severity }) => <CodeStatus group="noticeSeverity" value={severity} />,
        },
        {
          id: 'text',
          header: t('notices.text'),
          cell: ({ text }) => <span translate="no">{text}</span>,
        },
        { id: 'to', header: t('overrides.to'), cell: ({ activeTo }) => <When at={activeTo} /> },
        {
          id: 'active',
          header: t('rewards.isActive'),
          cell: ({ isActive }) => t(isActive ? 'filter.yes' : 'filter.no'),
        },
      ]}
      fields={(row) => [
        ...(row === undefined
          ? [{ name: 'code', kind: 'text', label: t('badges.code'), isRequired: true } as const]
          : []),
        {
          name: 'severity',
          kind: 'choice',
          label: t('notifications.severity'),
          isRequired: true,
          options: ['INFO', 'WARNING', 'CRITICAL'].map((value) => [
            value,
            code('noticeSeverity', value),
          ]),
        },
        { name: 'title', kind: 'text', label: t('notices.heading'), isRequired: true },
        { name: 'text', kind: 'long', label: t('notices.text'), isRequired: true },
        { name: 'ttlSeconds', kind: 'number', label: t('notices.ttl'), isRequired: true, min: 1 },
        restaurant,
        ...period(),
        { name: 'isActive', kind: 'flag', label: t('rewards.isActive') },
      ]}
      defaults={{ severity: 'INFO', ttlSeconds: 300, isActive: true }}
      create={{ operation: 'createGuestNotice', label: t('notices.create') }}
      edit={{ operation: 'editGuestNotice', read: 'getGuestNotice', key: ({ id }) => ({ id }) }}
      remove={{ operation: 'deleteGuestNotice', key: pickKey, ...removal() }}
    />
  );
}

/** Promised minutes, in general or by category. */
export function Expectation() {
  const restaurant = useRestaurantField();
  const categories = useAll('listCategories', {});
  const options = (categories.data?.items ?? []).map(({ id, name }) => [String(id), name] as const);

  return (
    <Resource
      isBlock
      title={t('offers.expectation')}
      list="listExpectationRules"
      rowId={({ id }) => String(id)}
      empty={t('expectation.none')}
      columns={[
        {
          id: 'scope',
          header: t('expectation.scope'),
          cell: ({ scope, categoryId }) =>
            `${code('expectationScope', scope)} ${options.find(([id]) => Number(id) === categoryId)?.[1] ?? ''}`,
        },
        {
          id: 'minutes',
          header: t('expectation.minutes'),
          isNumber: true,
          cell: ({ durationMinutes }) => String(durationMinutes),
        },
        {
          id: 'from',
          header: t('overrides.from'),
          cell: ({ activeFrom }) => <When at={activeFrom} />,
        },
        { id: 'to', header: t('overrides.to'), cell: ({ activeTo }) => <When at={activeTo} /> },
      ]}
      fields={(row) => [
        ...(row === undefined
          ? [
              {
                name: 'scope',
                kind: 'choice',
                label: t('expectation.scope'),
                isRequired: true,
                options: ['GLOBAL', 'CATEGORY'].map(
                  (value) => [value, code('expectationScope', value)] as const,
                ),
              } as const,
            ]
          : []),
        {
          name: 'durationMinutes',
          kind: 'number',
          label: t('expectation.minutes'),
          isRequired: true,
          min: 1,
        },
        {
          name: 'categoryId',
          kind: 'choice',
          isNumeric: true,
          label: t('products.category'),
          options,
        },
        restaurant,
        ...period(),
      ]}
      create={{ operation: 'createExpectationRule', label: t('expectation.create') }}
      edit={{
        operation: 'editExpectationRule',
        read: 'getExpectationRule',
        key: ({ id }) => ({ id }),
      }}
      remove={{ operation: 'deleteExpectationRule', key: pickKey, ...removal() }}
    />
  );
}
