import { useEffect, useId, useState } from 'react';
import type { Data } from '../../../data/api.ts';
import { useRestaurants } from '../../../data/restaurants.ts';
import { Button } from '../../../parts/button.tsx';
import form from '../../../parts/form.module.css';
import { Facts } from '../../../parts/page.tsx';
import css from '../../../parts/parts.module.css';
import { Money, Status, When } from '../../../parts/values.tsx';
import type { Position } from '../../../pure/polygons.ts';
import { parsePosition } from '../../../pure/zones.ts';
import { code, t } from '../../../texts/texts.ts';

type Answer = Data<'explainDelivery'>;

/** A field for a point, without the map. */
export function PointForm({ text, ask }: { text: string; ask: (position: Position) => void }) {
  const id = useId();
  const [value, setValue] = useState(text);
  const [isWrong, setWrong] = useState(false);
  useEffect(() => setValue(text), [text]);
  const send = () => {
    const position = parsePosition(value);
    setWrong(position === null);
    if (position !== null) ask(position);
  };

  return (
    <form
      className={form['filters']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label className={`${form['field']} ${form['search']}`}>
        <span className={form['label']}>{t('zones.at')}</span>
        <input
          className={form['input']}
          name="at"
          autoComplete="off"
          placeholder="55.7558, 37.6173"
          value={value}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? id : undefined}
          onChange={({ target }) => setValue(target.value)}
        />
        {isWrong && (
          <span id={id} className={form['wrong']}>
            {t('zones.badAt')}
          </span>
        )}
      </label>
      <Button submit>{t('zones.ask')}</Button>
    </form>
  );
}

/** Conditions of delivery at a point, its zones, and the rule that applied. */
export function ZoneTerms({ answer: { rule, resolution, candidates } }: { answer: Answer }) {
  const restaurants = useRestaurants();
  const findRestaurant = (organizationId: number | null) =>
    restaurants.find(({ id }) => id === organizationId);

  return (
    <div className={css['stack']} role="status">
      <strong>{code('deliveryRule', rule)}</strong>
      {!resolution.servedNow && resolution.nextServedAt !== null && (
        <p>
          {t('zones.nextServed')}{' '}
          <When
            at={resolution.nextServedAt}
            zone={findRestaurant(resolution.organizationId)?.effectiveTimeZone}
          />
        </p>
      )}
      {candidates.map((zone) => (
        <div key={zone.zoneId} className={css['stack']}>
          <div className={css['row']}>
            <h3 translate="no">{zone.name}</h3>
            {zone.zoneId === resolution.zoneId && (
              <Status tone="good">{t('zones.delivers')}</Status>
            )}
            {!zone.isServedNow && <Status tone="warn">{t('zones.notServed')}</Status>}
          </div>
          <Facts
            facts={[
              [
                t('missing.restaurant'),
                <span key="r" translate="no">
                  {findRestaurant(zone.organizationId)?.name ?? '—'}
                </span>,
              ],
              [t('zones.minimum'), <Money key="m" amount={zone.minOrderSum} />],
              [t('zones.fee'), <Money key="f" amount={zone.deliveryFee} />],
              [
                t('zones.minutes'),
                zone.deliveryDurationMinutes === null ? null : String(zone.deliveryDurationMinutes),
              ],
              [t('zones.priority'), String(zone.priority)],
            ]}
          />
        </div>
      ))}
    </div>
  );
}
