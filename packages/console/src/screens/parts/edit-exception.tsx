import { useAction } from '../../data/action.ts';
import { call } from '../../data/read.ts';
import { Form, type Field } from '../../parts/form.tsx';
import { announce } from '../../parts/toast.tsx';
import { toText } from '../../pure/fields.ts';
import { hoursLines, hoursOfLine } from '../../pure/week.ts';
import { code, t } from '../../texts/texts.ts';
import type { Exception } from './exception.ts';

type EditProps = { exception: Exception; zone: string | undefined; close: () => void };

const toRow = (exception: Exception) => ({ ...exception, windows: hoursLines(exception.windows) });

const splitLines = (value: unknown): string[] =>
  toText(value)
    .split('\n')
    .filter((line) => line.trim() !== '');

/** No choice means all channels. */
export const channelField = (
  channels: readonly string[] = ['DELIVERY', 'PICKUP', 'DINE_IN'],
): Field => ({
  name: 'channel',
  kind: 'choice',
  label: t('restaurants.channel'),
  hint: t('exceptions.allChannels'),
  options: channels.map((value) => [value, code('fulfillment', value)]),
});

const buildFields = (kind: Exception['kind']): readonly Field[] => [
  ...(kind === 'INTAKE_STOPPED'
    ? ([
        { name: 'from', kind: 'moment', label: t('overrides.from'), isRequired: true },
        { name: 'to', kind: 'moment', label: t('overrides.to'), hint: t('exceptions.openHint') },
      ] as const)
    : ([{ name: 'date', kind: 'day', label: t('exceptions.date'), isRequired: true }] as const)),
  ...(kind === 'SPECIAL_HOURS'
    ? [
        {
          name: 'windows',
          kind: 'lines',
          label: t('exceptions.hours'),
          hint: t('exceptions.hoursHint'),
          isRequired: true,
          check: (value: unknown) =>
            splitLines(value).every((line) => hoursOfLine(line) !== null)
              ? null
              : t('exceptions.hoursWrong'),
        } as const,
      ]
    : []),
  channelField(kind === 'INTAKE_STOPPED' ? ['DELIVERY', 'PICKUP'] : undefined),
  { name: 'reason', kind: 'text', label: t('form.reason') },
];

/** Edits an exception, except its kind and restaurant. */
export function EditException({ exception, zone, close }: EditProps) {
  const edit = useAction('editScheduleException');
  const { id, organizationId, kind } = exception;
  const reload = async () => {
    const { items } = await call('listScheduleExceptions', [{ id: organizationId, size: 200 }], {});
    return toRow(items.find((item) => item.id === id) ?? exception);
  };

  return (
    <Form
      fields={buildFields(kind)}
      record={toRow(exception)}
      zone={zone}
      reload={reload}
      save={async ({ windows, ...body }) => {
        const hours =
          windows === undefined
            ? {}
            : { windows: (windows as string[]).map((line) => hoursOfLine(line)!) };
        await edit.run({ id }, { ...body, ...hours } as never);
        close();
        announce(t('action.saved'));
      }}
      onCancel={close}
    />
  );
}
