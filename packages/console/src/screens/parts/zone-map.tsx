import { useMemo, useState, type MouseEvent } from 'react';
import type { Data } from '../../data/api.ts';
import { Button } from '../../parts/button.tsx';
import css from '../../parts/parts.module.css';
import { drawn, positionAt, viewOf, type Position } from '../../pure/map.ts';
import { t } from '../../texts/texts.ts';
import styles from './zone-map.module.css';

type Zone = Data<'getDeliveryZone'>;
type MapProps = {
  zones: readonly Zone[];
  highlighted: readonly number[];
  ask: (latitude: number, longitude: number) => void;
};

/** The zones as shapes. A click shows the terms there; the list has the same zones as text. */
export function ZoneMap({ zones, highlighted, ask }: MapProps) {
  const [zoom, setZoom] = useState(1);
  const [point, setPoint] = useState<Position | null>(null);
  const view = useMemo(() => {
    const positions = zones.flatMap(({ geometry }) => (geometry?.coordinates.flat() ?? []) as unknown as Position[]);
    return positions.length === 0 ? null : viewOf(positions);
  }, [zones]);
  if (view === null) return <p className={css['muted']}>{t('zones.none')}</p>;
  const side = 1_000 / zoom;
  const edge = (1_000 - side) / 2;

  const click = (event: MouseEvent<SVGSVGElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const position = positionAt(
      view,
      edge + ((event.clientX - left) / width) * side,
      edge + ((event.clientY - top) / height) * side,
    );
    setPoint(position);
    ask(position[1], position[0]);
  };
  const path = (rings: readonly (readonly Position[])[]) =>
    rings
      .map(
        (ring) =>
          `M${ring
            .map((position) =>
              drawn(view, position)
                .map((value) => value.toFixed(1))
                .join(' '),
            )
            .join('L')}Z`,
      )
      .join('');
  return (
    <div className={css['stack']}>
      <div className={css['row']}>
        <Button small label={t('zones.zoomIn')} onPress={() => setZoom(Math.min(16, zoom * 2))}>
          +
        </Button>
        <Button small label={t('zones.zoomOut')} onPress={() => setZoom(Math.max(1, zoom / 2))}>
          −
        </Button>
        <span className={css['muted']}>{t('zones.clickHint')}</span>
      </div>
      <svg
        className={styles['map']}
        viewBox={`${edge} ${edge} ${side} ${side}`}
        role="img"
        aria-label={t('zones.map')}
        onClick={click}
      >
        {zones.map(({ id, name, geometry, isActive }) =>
          geometry === null ? null : (
            <path
              key={id}
              className={styles[highlighted.includes(id) ? 'chosen' : isActive ? 'zone' : 'inactive']}
              d={path(geometry.coordinates as unknown as Position[][])}
              fillRule="evenodd"
            >
              <title>{name}</title>
            </path>
          ),
        )}
        {point !== null && (
          <circle className={styles['point']} cx={drawn(view, point)[0]} cy={drawn(view, point)[1]} r={side / 90} />
        )}
      </svg>
    </div>
  );
}
