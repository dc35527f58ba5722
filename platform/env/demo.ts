import { define, group, flag, not } from './variables.ts';

/** Variables of the demo. */
export const DEMO_VARIABLES = group('Demo', {
  DEMO: define('on', flag, 'Creation of the demo catalog. It needs the embedded emulator', {
    production: not('on'),
  }),
  DEMO_SHOP: define(
    'off',
    flag,
    'The example storefront at `/`. `npm start` builds it and switches this on together with the demo catalog. Not allowed in production',
    { production: not('on') },
  ),
});
