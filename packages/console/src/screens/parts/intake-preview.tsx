import { useState } from 'react';
import { useRead } from '../../data/read.ts';
import form from '../../parts/form.module.css';
import { Block, Facts } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { Status, When } from '../../parts/values.tsx';
import { inMinutes, toMoment } from '../../pure/moments.ts';
import { code, t } from '../../texts/texts.ts';
import type { RestaurantProps } from './restaurant-props.ts';
import { SlotsPreview } from './slots-preview.tsx';

type PreviewProps = RestaurantProps & {
  /** A time of the zone, by default now. */
  first?: string;
};

/** The status for guests at a moment, and the schedule in words. */
export function IntakePreview({ id, zone, first }: PreviewProps) {
  const [at, setAt] = useState(() => first ?? inMinutes(0, zone));
  const query = useRead(
    'previewStatus',
    [{ id, ...(at === '' ? {} : { at: toMoment(at, zone) }) }],
    {
      enabled: at !== '',
    },
  );

  return (
    <div className={css['stack']}>
      <Block title={t('setup.preview')} needs="previewStatus">
        <label className={form['field']}>
          <span className={form['label']}>{t('preview.at', { zone })}</span>
          <input
            className={form['input']}
            type="datetime-local"
            value={at}
            onChange={({ target }) => setAt(target.value)}
          />
        </label>
        <Loaded query={query}>
          {({ delivery, pickup, schedule, nextChangeAt }) => (
            <div className={css['stack']}>
              <Facts
                facts={(
                  [
                    ['DELIVERY', delivery],
                    ['PICKUP', pickup],
                  ] as const
                ).map(([type, { accepting, reason, closesAt, opensAt }]) => [
                  code('fulfillment', type),
                  <span key={type} className={css['row']}>
                    <Status tone={accepting ? 'good' : 'bad'}>
                      {accepting
                        ? t('restaurants.accepting')
                        : code('notAccepting', reason ?? 'CLOSED')}
                    </Status>
                    {accepting ? (
                      <When at={closesAt} zone={zone} />
                    ) : (
                      <When at={opensAt} zone={zone} />
                    )}
                  </span>,
                ])}
              />
              {nextChangeAt !== null && (
                <p>
                  {t('preview.next')} <When at={nextChangeAt} zone={zone} />
                </p>
              )}
              <ul className={css['list']}>
                {schedule.map(({ days, delivery: hours, pickup: own }) => (
                  <li key={days}>
                    <strong className={css['grow']}>{days}</strong>
                    <span>
                      {code('fulfillment', 'DELIVERY')}: {hours}
                    </span>
                    <span>
                      {code('fulfillment', 'PICKUP')}: {own}
                    </span>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </Loaded>
      </Block>
      <SlotsPreview id={id} at={at === '' ? null : toMoment(at, zone)} />
    </div>
  );
}
