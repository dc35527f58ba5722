import { define, group, optional, optionalBaseUrl, text, type ValuesOf } from '../../platform/env/variables.ts';

/** Variables of the staff UI. */
export const CONSOLE_VARIABLES = group('Staff UI', {
  CHAIN_NAME: define('Carte', text, 'Name of the restaurant chain in the staff UI'),
  MAP_TILES_URL: define(
    '',
    optional,
    'URL of map tiles or of a map style for the staff UI, such as `https://tiles.example.com/{z}/{x}/{y}.png`. If empty, maps have no background',
  ),
  MAP_TILES_ATTRIBUTION: define('', optional, 'Attribution that the license of the map tiles requires'),
  TEMPORAL_UI_URL: define(
    '',
    optionalBaseUrl,
    "URL of Temporal's UI, to which the staff UI links executions. If empty, it has no links",
  ),
});

export type ConsoleEnv = ValuesOf<typeof CONSOLE_VARIABLES>;
