import { useEffect, useMemo, useRef, useState } from 'react';
import type { Data } from '../../../data/api.ts';
import { useRead } from '../../../data/read.ts';
import { Button } from '../../../parts/button.tsx';
import css from '../../../parts/parts.module.css';
import { findBounds, type Bounds, type Position } from '../../../pure/polygons.ts';
import { buildDrawing, ringsOf, type Overlaps } from '../../../pure/zones.ts';
import { t } from '../../../texts/texts.ts';
import { loadMapCss } from './map-css.ts';
import type { Tiles } from './map-style.ts';
import type { ZoneMapView } from './start-map.ts';
import styles from './zones.module.css';

type MapProps = {
  zones: readonly Data<'getDeliveryZone'>[];
  overlaps: Overlaps;
  chosen: number | null;
  point: Position | null;
  /** The part to show, or null for all zones. A new object moves the map again. */
  target: Bounds | null;
  onPoint: (position: Position) => void;
};

/**
 * A click, or a button for the center, requests the conditions of delivery at that point. MapLibre
 * is loaded on first use.
 */
export function ZoneMap(props: MapProps) {
  const config = useRead('getConsoleConfig', []);
  if (config.data === undefined && config.error === null) return <div className={styles['map']} />;
  return <LoadedMap {...props} tiles={config.data?.mapTiles ?? null} />;
}

function LoadedMap({
  zones,
  overlaps,
  chosen,
  point,
  target,
  tiles,
  onPoint,
}: MapProps & { tiles: Tiles | null }) {
  const { box, map, isReady, problem } = useMap(tiles, onPoint);
  const drawing = useMemo(
    () => buildDrawing(zones, overlaps, chosen, point),
    [zones, overlaps, chosen, point],
  );

  useEffect(() => map?.draw(drawing), [map, drawing]);

  const bounds = target ?? findBounds(zones.flatMap((zone) => ringsOf(zone).flat()));
  useEffect(() => {
    if (bounds !== null) map?.fit(bounds);
    // Compares the bounds of all zones by value, but a target by identity, so that a new target
    // moves the map.
  }, [map, target, bounds?.join()]);

  return (
    <div className={css['stack']}>
      {problem !== null && <p className={css['notice']}>{t(problem)}</p>}
      <div
        ref={box}
        className={styles['map']}
        hidden={problem === 'zones.noMap'}
        data-ready={isReady}
      />
      <div className={css['row']}>
        {map !== null && (
          <Button small onPress={() => onPoint(map.middle())}>
            {t('zones.askMiddle')}
          </Button>
        )}
        {tiles !== null && tiles.attribution !== null && (
          <small className={css['muted']} translate="no">
            {tiles.attribution}
          </small>
        )}
      </div>
    </div>
  );
}

type Problem = 'zones.noMap' | 'zones.noTiles';

/** Starts the map in the returned element, and removes it with the screen. */
function useMap(tiles: Tiles | null, onPoint: (position: Position) => void) {
  const box = useRef<HTMLDivElement>(null);
  const click = useRef(onPoint);
  click.current = onPoint;
  const [map, setMap] = useState<ZoneMapView | null>(null);
  const [isReady, setReady] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  useEffect(() => {
    let view: ZoneMapView | undefined;
    let isGone = false;
    setReady(false);
    setProblem(null);
    const start = async () => {
      const [{ startMap }] = await Promise.all([import('./start-map.ts'), loadMapCss()]);
      if (isGone) return;
      view = startMap({
        container: box.current!,
        tiles,
        onPoint: (position) => click.current(position),
        onReady: () => setReady(true),
        onFailed: () => {
          if (!isGone) setProblem(tiles === null ? 'zones.noMap' : 'zones.noTiles');
        },
        onRead: () => {
          if (!isGone) setProblem(null);
        },
      });

      setMap(view);
    };

    // Without WebGL or MapLibre, the list and the field for a point remain.
    start().catch(() => setProblem('zones.noMap'));

    return () => {
      isGone = true;
      view?.remove();
      setMap(null);
    };
  }, [tiles?.url]);

  return { box, map, isReady, problem };
}
