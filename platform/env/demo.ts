import { define, group, flag, not, oneOf } from './variables.ts';

export const DEMO_VARIABLES = group('Demo', {
  DEMO: define(
    'on',
    oneOf('on', 'small', 'off'),
    'Creation of the demo catalog by `npm start`. It needs the embedded emulator. `small`: two restaurants, fewer dishes and ' +
      'pictures, ready in half of the time',
    { production: { isBroken: (value) => value !== 'off', must: 'must be off' } },
  ),
  DEMO_SHOP: define(
    'off',
    flag,
    'The example storefront at `/`. `npm start` builds it and switches this on together with the demo catalog. Not allowed in production',
    { production: not('on') },
  ),
});
