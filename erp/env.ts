import {
  constant,
  define,
  group,
  duration,
  optional,
  rate,
  url,
  HTTPS_OUTSIDE,
} from '../platform/env/variables.ts';

export const ERP_VARIABLES = group('ERP', {
  ERP_URL: define(
    null,
    url('http:', 'https:'),
    'Base URL of the ERP. `npm start` starts the emulator by default',
    {
      production: HTTPS_OUTSIDE,
    },
  ),
  ERP_RATE: define(
    '10',
    rate,
    'Requests per second to the ERP from all processes together, or off',
  ),
  ERP_CONNECT_TIMEOUT: constant('5s', duration, 'Time-out of connecting to the ERP'),
  ERP_READ_TIMEOUT: constant('15s', duration, 'Read time-out of all calls except the menu'),
  ERP_MENU_READ_TIMEOUT: constant('120s', duration, 'Read time-out of a menu answer'),
  ERP_EXCHANGE_LOG: define('', optional, 'File of the full exchange log; off if empty'),
});
