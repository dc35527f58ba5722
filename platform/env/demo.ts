import { define, group, flag, not } from './variables.ts';

/** Variables of the demo. */
export const DEMO_VARIABLES = group('Demo', {
  DEMO: define('on', flag, 'Whether the demo catalogue is created. It needs the embedded emulator', {
    production: not('on'),
  }),
  DEMO_SHOP: define(
    'off',
    flag,
    'Whether the API shows the example storefront at `/`. `npm start` builds it and switches this on together with the demo catalogue. It is refused in production',
    { production: not('on') },
  ),
});
