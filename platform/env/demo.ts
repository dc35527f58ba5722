import { define, group, flag, not, oneOf } from './variables.ts';

export const DEMO_VARIABLES = group('Demo', {
  DEMO: define('on', flag, 'Creation of the demo catalog. It needs the embedded emulator', {
    production: not('on'),
  }),
  DEMO_SIZE: define(
    'full',
    oneOf('full', 'small'),
    'Size of the demo catalog of `npm start`. `small`: two restaurants, fewer dishes and pictures, ready in half of the time',
  ),
  DEMO_SHOP: define(
    'off',
    flag,
    'The example storefront at `/`. `npm start` builds it and switches this on together with the demo catalog. Not allowed in production',
    { production: not('on') },
  ),
});
