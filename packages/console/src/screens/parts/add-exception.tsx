import { useAction } from '../../data/action.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import type { Field } from '../../parts/form.tsx';
import { toText, type Values } from '../../pure/fields.ts';
import { parseMinutes } from '../../pure/week.ts';
import { t } from '../../texts/texts.ts';
import { channelField } from './edit-exception.tsx';
import { useExceptionsDone } from './use-exceptions-done.ts';

/** Requires both times or neither. */
const besides = (other: string) => (value: unknown, all: Values) =>
  toText(value) === '' && toText(all[other]) !== '' ? t('form.missing') : null;

/** Adds a day that differs from the week, in one or more restaurants. */
export function AddException({ id }: { id?: number }) {
  const create = useAction('createScheduleExceptions');
  const done = useExceptionsDone();
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
    {
      name: 'organizationIds',
      kind: 'restaurants',
      label: t(id === undefined ? 'discounts.restaurants' : 'exceptions.also'),
      isRequired: id === undefined,
    },
  ];

  return (
    <ActionButton
      action={create}
      look="primary"
      label={t('exceptions.add')}
      fields={fields}
      done={done}
      input={({ date, opensAt, closesAt, channel, reason, organizationIds }) => {
        const hasHours = opensAt !== undefined && closesAt !== undefined;
        const window = { opensAt: toText(opensAt), closesAt: toText(closesAt) };
        const others = (organizationIds as number[] | undefined) ?? [];

        return [
          {
            organizationIds: [...new Set([...(id === undefined ? [] : [id]), ...others])],
            mode: 'APPLY' as const,
            kind: hasHours ? ('SPECIAL_HOURS' as const) : ('CLOSED' as const),
            date: toText(date),
            ...(hasHours
              ? {
                  windows: [
                    {
                      ...window,
                      crossesMidnight:
                        parseMinutes(window.closesAt) <= parseMinutes(window.opensAt),
                    },
                  ],
                }
              : {}),
            ...(channel === undefined ? {} : { channel: channel as 'DELIVERY' }),
            ...(reason === undefined ? {} : { reason: toText(reason) }),
          },
        ];
      }}
    />
  );
}
