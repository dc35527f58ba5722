import {
  AJAXError,
  addProtocol,
  Map,
  NavigationControl,
  removeProtocol,
  setWorkerUrl,
  type GeoJSONSource,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import type { Bounds, Position } from '../../../pure/polygons.ts';
import type { Drawing } from '../../../pure/zones.ts';
import { t } from '../../../texts/texts.ts';
import { startTileReader, tileWorkerUrl } from './tile-reader.ts';
import { buildBackground, LAYERS, NO_BACKGROUND, type Tiles } from './map-style.ts';

setWorkerUrl(workerUrl);
allowWorker();

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string | null },
  ) => unknown;
};

/**
 * Allows only the URLs of the map's workers. MapLibre gets a trusted URL only from the default
 * policy.
 */
function allowWorker(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => ([workerUrl, tileWorkerUrl].includes(url) ? url : null),
  });
}

export type ZoneMapView = {
  draw: (drawing: Drawing) => void;
  fit: (bounds: Bounds) => void;
  middle: () => Position;
  remove: () => void;
};

type MapOptions = {
  container: HTMLElement;
  tiles: Tiles | null;
  onPoint: (position: Position) => void;
  onReady: () => void;
  /** Something of the map cannot be read. */
  onFailed: () => void;
  /** A tile was read. */
  onRead: () => void;
};

const MARGIN = 28;
const CLOSEST = 15;

/** Starts a map. Throws if the browser has no WebGL. */
export function startMap({
  container,
  tiles,
  onPoint,
  onReady,
  onFailed,
  onRead,
}: MapOptions): ZoneMapView {
  let drawing: Drawing | null = null;
  const help = t('zones.twoFingers');
  const files =
    tiles === null
      ? null
      : fileProtocol({
          onFailed,
          onRead,
          // MapLibre does not repaint after a tile of status 404, and would never be idle.
          onMissing: () => map.triggerRepaint(),
        });
  const map = new Map({
    container,
    style: buildBackground(tiles),
    transformRequest: (url, kind) => ({ url: files?.urlOf(url, kind) ?? url }),
    // Omits MapLibre's control, which inserts texts as HTML.
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    maxPitch: 0,
    // On a phone, one finger scrolls the page, and two fingers move the map.
    cooperativeGestures: matchMedia('(pointer: coarse)').matches,
    locale: {
      'Map.Title': t('zones.map'),
      'NavigationControl.ZoomIn': t('zones.zoomIn'),
      'NavigationControl.ZoomOut': t('zones.zoomOut'),
      'CooperativeGesturesHandler.WindowsHelpText': help,
      'CooperativeGesturesHandler.MacHelpText': help,
      'CooperativeGesturesHandler.MobileHelpText': help,
    },
  });

  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.getCanvas().style.cursor = 'crosshair';

  const show = () => {
    if (drawing === null || map.getSource('areas') === undefined) return;
    for (const [name, data] of Object.entries(drawing))
      void map.getSource<GeoJSONSource>(name)?.setData(data);
  };

  map.on('style.load', () => {
    for (const name of ['areas', 'labels', 'point'])
      map.addSource(name, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
    for (const layer of LAYERS) map.addLayer(layer);
    show();
  });

  map.on('error', ({ error }) => {
    // The protocol reports files that cannot be read.
    if (!(error instanceof AJAXError)) onFailed();
    // Zones are drawn even if the background cannot be read.
    if (map.getSource('areas') === undefined) map.setStyle(NO_BACKGROUND);
  });

  map.on('idle', onReady);
  map.on('click', ({ lngLat }) => onPoint([lngLat.lng, lngLat.lat]));

  return {
    draw(next) {
      drawing = next;
      show();
    },
    fit([west, south, east, north]) {
      map.fitBounds([west, south, east, north], {
        padding: MARGIN,
        maxZoom: CLOSEST,
        animate: false,
      });
    },
    middle() {
      const { lng, lat } = map.getCenter();
      return [lng, lat];
    },
    remove: () => {
      map.remove();
      files?.end();
    },
  };
}

let maps = 0;

/** MapLibre's kind of map tiles. */
const TILE = 'Tile';

type ProtocolOptions = Pick<MapOptions, 'onFailed' | 'onRead'> & {
  /** A file of the background was not read. */
  onMissing: () => void;
};

/**
 * Reads all files of the background in a worker, because the policy of the page names only the
 * tiles that were set when it was opened. MapLibre itself reports no tiles that answer 404.
 * Single tiles may be missing; a failure before the first tile is reported.
 */
function fileProtocol({ onFailed, onRead, onMissing }: ProtocolOptions) {
  maps += 1;
  const scheme = `background-${maps}`;
  const reader = startTileReader();
  let hasRead = false;
  addProtocol(scheme, async ({ url: request, type }, { signal }) => {
    const [, kind, url] = /^[^:]+:\/\/(\w+)\/(.*)$/s.exec(request)!;
    try {
      const bytes = await reader.read(url!, signal);
      // A style and its pictures may be readable while none of its tiles is.
      if (kind === TILE && !hasRead) {
        hasRead = true;
        onRead();
      }

      const isText = type === 'json' || type === 'string';
      const text = isText ? new TextDecoder().decode(bytes) : '';

      return { data: type === 'json' ? (JSON.parse(text) as object) : isText ? text : bytes };
    } catch (failure) {
      if (!hasRead && !signal.aborted) onFailed();
      onMissing();
      throw failure;
    }
  });

  return {
    urlOf: (url: string, kind = 'Unknown') =>
      /^https?:/i.test(url) ? `${scheme}://${kind}/${url}` : url,
    end() {
      removeProtocol(scheme);
      reader.end();
    },
  };
}
