import { useAction } from '../../data/action.ts';
import { useRead } from '../../data/read.ts';
import { useUrl } from '../../data/url.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import type { Field } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import { When } from '../../parts/values.tsx';
import { calendarDay } from '../../pure/format.ts';
import { paramsOf } from '../../pure/filters.ts';
import { minutesOf } from '../../pure/week.ts';
import { code, currentLanguage, t } from '../../texts/texts.ts';
import type { RestaurantProps } from './restaurant-props.ts';
import { textOf, type Values } from '../../pure/fields.ts';
import { useExceptionsDone } from './use-exceptions-done.ts';

/** A time needs the other one too. */
const besides = (other: string) => (value: unknown, all: Values) =>
  textOf(value) === '' && textOf(all[other]) !== '' ? t('form.missing') : null;

const channelField = (): Field => ({
  name: 'channel',
  kind: 'choice',
  label: t('restaurants.channel'),
  options: ['DELIVERY', 'PICKUP', 'DINE_IN'].map((value) => [value, code('fulfillment', value)]),
});

/** Days that differ from the week, here and in other restaurants, and stops of the intake. */
export function Exceptions({ id, zone }: RestaurantProps) {
  const [search] = useUrl();
  const query = useRead('listScheduleExceptions', [{ id, ...paramsOf({}, search) }]);
  const create = useAction('createScheduleExceptions');
  const done = useExceptionsDone();
  const remove = useAction('deleteScheduleException');
  const fields: readonly Field[] = [
    { name: 'date', kind: 'day', label: t('exceptions.date'), isRequired: true },
    {
      name: 'opensAt',
      kind: 'time',
      label: t('exceptions.opens'),
      hint: t('exceptions.closedHint'),
      check: besides('closesAt'),
    },
    { name: 'closesAt', kind: 'time', label: t('exceptions.closes'), check: besides('opensAt') },
    channelField(),
    { name: 'reason', kind: 'text', label: t('form.reason') },
    { name: 'organizationIds', kind: 'restaurants', label: t('exceptions.also') },
  ];
  return (
    <Block
      title={t('setup.exceptions')}
      needs="listScheduleExceptions"
      actions={
        <ActionButton
          action={create}
          look="primary"
          label={t('exceptions.add')}
          fields={fields}
          done={done}
          input={({ date, opensAt, closesAt, channel, reason, organizationIds }) => {
            const hasHours = opensAt !== undefined && closesAt !== undefined;
            const window = { opensAt: textOf(opensAt), closesAt: textOf(closesAt) };
            return [
              {
                organizationIds: [...new Set([id, ...((organizationIds as number[] | undefined) ?? [])])],
                mode: 'APPLY' as const,
                kind: hasHours ? ('SPECIAL_HOURS' as const) : ('CLOSED' as const),
                date: textOf(date),
                ...(hasHours
                  ? {
                      windows: [
                        { ...window, crossesMidnight: minutesOf(window.closesAt) <= minutesOf(window.opensAt) },
                      ],
                    }
                  : {}),
                ...(channel === undefined ? {} : { channel: channel as 'DELIVERY' }),
                ...(reason === undefined ? {} : { reason: textOf(reason) }),
              },
            ];
          }}
        />
      }
    >
      <DataTable
        label={t('setup.exceptions')}
        query={query}
        rowId={({ id: of }) => String(of)}
        empty={{ text: t('exceptions.none') }}
        columns={[
          { id: 'kind', header: t('exceptions.kind'), cell: ({ kind }) => code('exceptionKind', kind) },
          {
            id: 'when',
            header: t('exceptions.when'),
            cell: ({ date, from, to, windows }) =>
              date === null ? (
                <>
                  <When at={from} zone={zone} /> – <When at={to} zone={zone} />
                </>
              ) : (
                `${calendarDay(date, currentLanguage())} ${windows.map(({ opensAt, closesAt }) => `${opensAt.slice(0, 5)}–${closesAt.slice(0, 5)}`).join(', ')}`
              ),
          },
          {
            id: 'channel',
            header: t('restaurants.channel'),
            cell: ({ channel }) => (channel === null ? t('filter.all') : code('fulfillment', channel)),
          },
          { id: 'reason', header: t('form.reason'), cell: ({ reason }) => reason ?? '—' },
          {
            id: 'actions',
            header: t('table.actions'),
            cell: ({ id: of }) => (
              <ActionButton
                small
                action={remove}
                label={t('exceptions.end')}
                confirm={t('exceptions.endText')}
                input={() => [{ id: of }]}
              />
            ),
          },
        ]}
      />
    </Block>
  );
}
