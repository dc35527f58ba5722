import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';

export type Tiles = { url: string; attribution: string | null };

const EMPTY: StyleSpecification = { version: 8, sources: {}, layers: [] };
const TILE_SIZE = 256;

/** Returns raster tiles for a URL template, the style of a URL, or an empty style. */
export function buildBackground(tiles: Tiles | null): StyleSpecification | string {
  if (tiles === null) return EMPTY;
  if (!tiles.url.includes('{z}')) return tiles.url;

  return {
    version: 8,
    sources: { tiles: { type: 'raster', tiles: [tiles.url], tileSize: TILE_SIZE } },
    layers: [{ id: 'tiles', type: 'raster', source: 'tiles' }],
  };
}

export const NO_BACKGROUND = EMPTY;

const INK = '#1a1f1b';
const PAPER = '#ffffff';
const POINT = '#a4201c';

/** Layers above the background. */
export const LAYERS: readonly LayerSpecification[] = [
  {
    id: 'areas',
    type: 'fill',
    source: 'areas',
    paint: {
      'fill-color': ['get', 'color'],
      'fill-opacity': [
        'case',
        ['get', 'isChosen'],
        ['min', 0.75, ['+', ['get', 'opacity'], 0.2]],
        ['get', 'opacity'],
      ],
    },
  },
  {
    id: 'borders',
    type: 'line',
    source: 'areas',
    filter: ['get', 'isActive'],
    layout: { 'line-join': 'round' },
    paint: { 'line-color': ['get', 'color'], 'line-width': ['case', ['get', 'isChosen'], 4, 1.5] },
  },
  {
    id: 'inactive',
    type: 'line',
    source: 'areas',
    filter: ['!', ['get', 'isActive']],
    paint: { 'line-color': ['get', 'color'], 'line-width': 1.5, 'line-dasharray': [3, 3] },
  },
  {
    id: 'labels',
    type: 'symbol',
    source: 'labels',
    layout: { 'text-field': ['get', 'label'], 'text-size': 13, 'text-max-width': 9 },
    paint: { 'text-color': INK, 'text-halo-color': PAPER, 'text-halo-width': 1.6 },
  },
  {
    id: 'point',
    type: 'circle',
    source: 'point',
    paint: {
      'circle-radius': 7,
      'circle-color': POINT,
      'circle-stroke-color': PAPER,
      'circle-stroke-width': 2.5,
    },
  },
];
