import {
  constant,
  define,
  group,
  duration,
  integer,
  oneOf,
  optional,
  optionalUrl,
  rate,
  HTTPS_OUTSIDE,
  type ValuesOf,
  type Demand,
} from '../../platform/env/variables.ts';

export const DELIVERY_VARIABLES = group('Addresses', {
  GEOCODER_CACHE_LIFE: constant('720h', duration, 'Life of a stored answer of the geocoder'),
  GEOCODER_CACHE_ROWS: constant(
    '100000',
    integer(1, 10_000_000),
    'Maximum number of stored geocoder answers. The oldest are deleted first',
  ),
});

export type DeliveryEnv = ValuesOf<typeof DELIVERY_VARIABLES>;

export const GEOCODER_VARIABLES = group('Addresses', {
  GEOCODER: define(
    'none',
    oneOf('none', 'photon', 'nominatim'),
    'Kind of the geocoder: `none`, `photon` or `nominatim`. With `none`, a delivery address needs a point of a map. `npm start` uses that of the emulator',
  ),
  GEOCODER_URL: define(
    '',
    optionalUrl,
    'Base URL of the geocoder, required unless GEOCODER is `none`',
    { production: HTTPS_OUTSIDE },
  ),
  GEOCODER_KEY: define('', optional, 'Parameter `key` for the geocoder', { secret: true }),
  GEOCODER_DAILY_CALLS: define(
    '100000',
    rate,
    'Calls to the geocoder in 24 hours by all processes together, or off. A fifth is reserved for order addresses',
  ),
  GEOCODER_TIMEOUT: constant('2s', duration, 'Longest wait for an answer of the geocoder'),
});

export type GeocoderEnv = ValuesOf<typeof GEOCODER_VARIABLES>;

export const GEOCODER_DEMANDS: readonly Demand[] = [
  {
    when: ({ GEOCODER: kind = '' }) => kind !== '' && kind !== 'none',
    needs: ['GEOCODER_URL'],
    because: 'GEOCODER is set',
  },
];
