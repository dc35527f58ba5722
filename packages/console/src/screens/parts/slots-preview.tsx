import { useState } from 'react';
import { useRead } from '../../data/read.ts';
import form from '../../parts/form.module.css';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { calendarDay } from '../../pure/format.ts';
import { code, currentLanguage, t } from '../../texts/texts.ts';

const TYPES = ['DELIVERY', 'PICKUP'] as const;

/** Time slots that guests could select at a moment. */
export function SlotsPreview({ id, at }: { id: number; at: string | null }) {
  const [type, setType] = useState<(typeof TYPES)[number]>('DELIVERY');
  const query = useRead('previewSlots', [{ id, type, ...(at === null ? {} : { at }) }], {
    enabled: at !== null,
  });

  return (
    <Block title={t('preview.slots')} needs="previewSlots">
      <label className={form['field']}>
        <span className={form['label']}>{t('orders.fulfillment')}</span>
        <select
          className={form['input']}
          value={type}
          onChange={({ target }) => setType(target.value as (typeof TYPES)[number])}
        >
          {TYPES.map((value) => (
            <option key={value} value={value}>
              {code('fulfillment', value)}
            </option>
          ))}
        </select>
      </label>
      <Loaded query={query}>
        {({ asap, days, timedOrdersEnabled }) => (
          <ul className={css['list']}>
            <li>
              <strong className={css['grow']}>{t('preview.asap')}</strong>
              {asap.available
                ? t('preview.minutes', { from: asap.etaRange[0] ?? 0, to: asap.etaRange[1] ?? 0 })
                : '—'}
            </li>
            {!timedOrdersEnabled && <li>{t('preview.noTimed')}</li>}
            {days.map(({ date, slots }) => (
              <li key={date}>
                <strong>{calendarDay(date, currentLanguage())}</strong>
                <span className={css['grow']}>
                  {slots.length === 0
                    ? t('preview.noSlots')
                    : t('preview.slotsOf', {
                        count: slots.length,
                        from: slots[0]!.from,
                        to: slots.at(-1)!.to,
                      })}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Block>
  );
}
