import { useEffect, useRef } from 'react';
import { useAccess } from '../../../data/access.tsx';
import type { Data } from '../../../data/api.ts';
import { useRestaurants } from '../../../data/restaurants.ts';
import { Button } from '../../../parts/button.tsx';
import { Facts } from '../../../parts/page.tsx';
import parts from '../../../parts/parts.module.css';
import { Money, Status } from '../../../parts/values.tsx';
import { nameOf, ringsOf, chooseStyle, type Overlaps } from '../../../pure/zones.ts';
import { needs, t } from '../../../texts/texts.ts';
import css from './zones.module.css';

type Zone = Data<'getDeliveryZone'>;

type ListProps = {
  zones: readonly Zone[];
  overlaps: Overlaps<Zone>;
  chosen: number | null;
  choose: (id: number) => void;
  edit: (zone: Zone) => void;
};

export function ZoneList({ zones, overlaps, chosen, choose, edit }: ListProps) {
  const lacks = useAccess()('updateDeliveryZone');
  const restaurants = useRestaurants();
  const findRestaurantName = ({ organizationId }: Zone) =>
    restaurants.find(({ id }) => id === organizationId)?.name;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const item = list.current?.querySelector<HTMLElement>('[data-chosen=true]');
    // Scrolls only the list, so that the map stays visible.
    if (item != null) list.current!.scrollTop = item.offsetTop;
  }, [chosen]);

  return (
    <ul ref={list} className={css['list']} tabIndex={0} aria-label={t('zones.list')}>
      {zones.map((zone) => (
        <li key={zone.id} className={css['zone']} data-chosen={zone.id === chosen}>
          <Head
            zone={zone}
            isChosen={zone.id === chosen}
            lacks={lacks}
            choose={choose}
            edit={edit}
          />
          <Summary
            zone={zone}
            restaurant={findRestaurantName(zone)}
            overlaps={overlaps.get(zone.id) ?? []}
          />
          {zone.id === chosen && <Details zone={zone} />}
        </li>
      ))}
    </ul>
  );
}

type HeadProps = Pick<ListProps, 'choose' | 'edit'> & {
  zone: Zone;
  isChosen: boolean;
  lacks: string | null;
};

function Head({ zone, isChosen, lacks, choose, edit }: HeadProps) {
  return (
    <div className={css['head']}>
      <button
        type="button"
        className={css['name']}
        aria-pressed={isChosen}
        onClick={() => choose(zone.id)}
      >
        <span className={css['swatch']} style={{ backgroundColor: chooseStyle(zone).color }} />
        <span translate="no">{nameOf(zone)}</span>
      </button>
      {!zone.isActive && <Status>{t('zones.inactive')}</Status>}
      <Button
        small
        label={`${t('action.edit')}: ${nameOf(zone)}`}
        reason={needs(lacks)}
        onPress={() => edit(zone)}
      >
        {t('action.edit')}
      </Button>
    </div>
  );
}

type SummaryProps = { zone: Zone; restaurant: string | undefined; overlaps: readonly Zone[] };

function Summary({ zone, restaurant, overlaps }: SummaryProps) {
  const { currentTerms: terms } = zone;
  return (
    <>
      <div className={parts['muted']}>
        <span translate="no">{restaurant}</span> ·{' '}
        {t('zones.priorityOf', { priority: zone.priority })}
        {terms === null ? (
          <> · {t('zones.notServed')}</>
        ) : (
          <>
            {' · '}
            {t('zones.minimum')} <Money amount={terms.minOrderSum} /> · {t('zones.fee')}{' '}
            <Money amount={terms.deliveryFee} /> ·{' '}
            {t('zones.inMinutes', { minutes: terms.deliveryDurationMinutes })}
          </>
        )}
      </div>
      {overlaps.length > 0 && (
        <div className={parts['muted']}>
          {t('zones.overlaps')}{' '}
          {overlaps.map((other, at) => (
            <span key={other.id}>
              {at > 0 && ', '}
              <span translate="no">{nameOf(other)}</span> ({other.priority})
            </span>
          ))}
        </div>
      )}
    </>
  );
}

function Details({ zone }: { zone: Zone }) {
  const rings = ringsOf(zone);
  const points = rings.reduce((sum, ring) => sum + ring.length - 1, 0);
  const text = (value: string | undefined) =>
    value === undefined ? null : <span translate="no">{value}</span>;

  return (
    <>
      <Facts
        facts={[
          [t('zones.erpName'), text(zone.displayName === null ? undefined : zone.name)],
          [t('product.description'), text(zone.texts.description)],
          [t('zones.notice'), text(zone.texts.notice)],
        ]}
      />
      {rings.length === 0 ? (
        <p className={parts['muted']}>{t('zones.noOutline')}</p>
      ) : (
        <details>
          <summary>{t('zones.outline', { points })}</summary>
          <p className={parts['muted']}>{t('zones.outlineHint')}</p>
          <pre className={parts['pre']} tabIndex={0}>
            {JSON.stringify(zone.geometry)}
          </pre>
        </details>
      )}
    </>
  );
}
