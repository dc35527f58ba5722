import { define, group, duration, integer, type ValuesOf } from '../../platform/env/variables.ts';

/** Variables of stored answers of the geocoder. */
export const DELIVERY_VARIABLES = group('Addresses', {
  GEOCODER_CACHE_LIFE: define('720h', duration, 'Life of a stored answer of the geocoder'),
  GEOCODER_CACHE_ROWS: define(
    '100000',
    integer(1, 10_000_000),
    'Maximum number of stored geocoder answers. The oldest are deleted first',
  ),
});

export type DeliveryEnv = ValuesOf<typeof DELIVERY_VARIABLES>;
