import { useMemo, useState } from 'react';
import type { Data } from '../data/api.ts';
import { useProfile } from '../data/access.tsx';
import { useAll, useRead } from '../data/read.ts';
import { usePickedRestaurant } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Block, Page } from '../parts/page.tsx';
import parts from '../parts/parts.module.css';
import { EmptyState, Loaded } from '../parts/states.tsx';
import { around, findBounds, type Position } from '../pure/polygons.ts';
import { readOne } from '../pure/search.ts';
import { findOverlaps, parsePosition, positionText, ringsOf } from '../pure/zones.ts';
import { t } from '../texts/texts.ts';
import { ZoneForm } from './parts/zones/zone-form.tsx';
import { ZoneList } from './parts/zones/zone-list.tsx';
import { ZoneMap } from './parts/zones/zone-map.tsx';
import { ZoneOverrides } from './parts/zones/zone-overrides.tsx';
import { PointForm, ZoneTerms } from './parts/zones/zone-terms.tsx';
import css from './parts/zones/zones.module.css';

type Zone = Data<'getDeliveryZone'>;

/** A map, a list, and the conditions of delivery at a point. */
export function Screen() {
  const restaurant = usePickedRestaurant();
  const query = useAll(
    'listDeliveryZones',
    restaurant === undefined ? {} : { organization_id: restaurant.id },
  );

  return (
    <Page manual="zones" title={t('zones.title')} lead={t('zones.lead')}>
      <Loaded query={query} rows={8}>
        {({ items }) =>
          items.length === 0 ? <EmptyState text={t('zones.none')} /> : <Zones zones={items} />
        }
      </Loaded>
      <ZoneOverrides />
    </Page>
  );
}

/** Zone and point are chosen on the map, in the list or in the URL. */
function Zones({ zones }: { zones: readonly Zone[] }) {
  const [search, change] = useUrl();
  const { organizationIds } = useProfile();
  const isLimited = organizationIds !== null;
  const at = isLimited ? '' : (readOne(search, 'at') ?? '');
  const point = parsePosition(at);
  const terms = useRead('explainDelivery', [{ coords: [point?.[0] ?? 0, point?.[1] ?? 0] }], {
    enabled: point !== null,
  });
  const named = zones.find(({ id }) => id === Number(readOne(search, 'zone')));
  // While another point is loading, the query has the former answer.
  const answered = point === null || terms.isPlaceholderData ? undefined : terms.data;
  const chosen = named?.id ?? answered?.resolution.zoneId ?? null;
  const boundsOfZone = (zone: Zone | undefined) =>
    findBounds(zone === undefined ? [] : ringsOf(zone).flat());
  const [target, setTarget] = useState(
    () => boundsOfZone(named) ?? (point === null ? null : around(point)),
  );
  const overlaps = useMemo(() => findOverlaps(zones), [zones]);
  const [edited, setEdited] = useState<Zone | null>(null);

  const ask = (position: Position) => {
    if (!isLimited) change({ at: positionText(position), zone: undefined }, { replace: true });
  };
  const askTyped = (position: Position) => {
    ask(position);
    setTarget(around(position));
  };

  const choose = (id: number) => {
    change({ zone: String(id) }, { replace: true });
    setTarget(boundsOfZone(zones.find((zone) => zone.id === id)));
  };

  const showAll = () => {
    change({ zone: undefined, at: undefined }, { replace: true });
    setTarget(null);
  };

  return (
    <div className={css['columns']}>
      <Block
        title={t('zones.map')}
        actions={
          <Button small onPress={showAll}>
            {t('zones.showAll')}
          </Button>
        }
      >
        <ZoneMap
          zones={zones}
          overlaps={overlaps}
          chosen={chosen}
          point={point}
          target={target}
          onPoint={ask}
        />
        {point !== null && (
          <Loaded query={terms}>{(answer) => <ZoneTerms answer={answer} />}</Loaded>
        )}
        {isLimited ? (
          <p className={parts['muted']}>{t('zones.limited')}</p>
        ) : (
          <PointForm text={at} ask={askTyped} />
        )}
      </Block>
      <Block title={t('zones.list')}>
        <ZoneList
          zones={zones}
          overlaps={overlaps}
          chosen={chosen}
          choose={choose}
          edit={setEdited}
        />
      </Block>
      <Dialog title={edited?.name ?? ''} isOpen={edited !== null} onClose={() => setEdited(null)}>
        {edited !== null && <ZoneForm zone={edited} close={() => setEdited(null)} />}
      </Dialog>
    </div>
  );
}
