import type { Data } from '../../data/api.ts';
import { Table } from '../../parts/data-table.tsx';
import type { Option } from '../../parts/filters.tsx';
import type { Field } from '../../parts/form.tsx';
import { code, t } from '../../texts/texts.ts';

type Change = Data<'copyOrdering'>['changes'][number];

export type CopyPart = Change['part'];

export const COPY_PARTS: readonly CopyPart[] = [
  'CONFIG',
  'SCHEDULE',
  'EXCEPTIONS',
  'PAYMENT_METHODS',
];

export const partsField = (): Field => ({
  name: 'parts',
  kind: 'choices',
  label: t('copy.parts'),
  isRequired: true,
  options: COPY_PARTS.map((part): Option => [part, code('copyPart', part)]),
});

const NAMES: Readonly<Record<CopyPart, string>> = {
  CONFIG: 'setup',
  SCHEDULE: 'setup',
  EXCEPTIONS: 'setup',
  PAYMENT_METHODS: 'payment',
};

function Value({ value }: { value: unknown }) {
  if (typeof value === 'boolean') return t(value ? 'filter.yes' : 'filter.no');
  if (value === null || value === undefined) return '—';
  return <code>{(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100)}</code>;
}

/** Differences that a copy would remove. */
export function CopyChanges({ changes }: { changes: readonly Change[] }) {
  return (
    <Table
      label={t('copy.plan')}
      rows={changes}
      rowId={({ part, field }) => `${part} ${field}`}
      empty={{ text: t('copy.same') }}
      columns={[
        { id: 'part', header: t('copy.parts'), cell: ({ part }) => code('copyPart', part) },
        {
          id: 'field',
          header: t('conflict.field'),
          cell: ({ part, field }) => <span translate="no">{code(NAMES[part], field)}</span>,
        },
        { id: 'before', header: t('plan.from'), cell: ({ before }) => <Value value={before} /> },
        { id: 'after', header: t('plan.to'), cell: ({ after }) => <Value value={after} /> },
      ]}
    />
  );
}
