import { useRef } from 'react';
import { useAction } from '../../../data/action.ts';
import type { Data } from '../../../data/api.ts';
import { call } from '../../../data/read.ts';
import type { Option } from '../../../parts/filters.tsx';
import { Form } from '../../../parts/form.tsx';
import { announce } from '../../../parts/toast.tsx';
import { COLORS, OPACITIES, zoneChange } from '../../../pure/zones.ts';
import { code, t } from '../../../texts/texts.ts';

type Zone = Data<'getDeliveryZone'>;

/** Edits the fields that staff set. The outline and conditions come from the ERP. */
export function ZoneForm({ zone, close }: { zone: Zone; close: () => void }) {
  const edit = useAction('updateDeliveryZone');
  const latest = useRef(zone);

  return (
    <Form
      fields={[
        { name: 'displayName', kind: 'text', label: t('zones.displayName') },
        {
          name: 'priority',
          kind: 'number',
          label: t('zones.priority'),
          hint: t('zones.priorityHint'),
          isRequired: true,
          min: 0,
          max: 10_000,
          step: 1,
        },
        {
          name: 'style.color',
          kind: 'choice',
          label: t('zones.color'),
          options: colorOptions(zone),
        },
        {
          name: 'style.opacity',
          kind: 'choice',
          isNumeric: true,
          label: t('zones.opacity'),
          options: opacityOptions(zone),
        },
        { name: 'texts.description', kind: 'long', label: t('product.description') },
        { name: 'texts.notice', kind: 'long', label: t('zones.notice') },
      ]}
      record={zone}
      reload={async () => (latest.current = await call('getDeliveryZone', [{ id: zone.id }], {}))}
      save={async (body) => {
        await edit.run({ id: zone.id }, zoneChange(body, latest.current) as never);
        close();
        announce(t('action.saved'));
      }}
      onCancel={close}
    />
  );
}

/** Includes the color that another program has set. */
function colorOptions({ style }: Zone): Option[] {
  const options = Object.entries(COLORS).map(([name, color]): Option => [
    color,
    code('zoneColor', name),
  ]);
  if (style === null || options.some(([color]) => color === style.color)) return options;

  return [...options, [style.color, style.color]];
}

function opacityOptions({ style }: Zone): Option[] {
  const opacities = new Set<number>([...OPACITIES, ...(style === null ? [] : [style.opacity])]);
  return [...opacities]
    .toSorted((one, other) => one - other)
    .map((value) => [String(value), percent(value)]);
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
