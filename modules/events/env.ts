import { define, flag, group } from '../../platform/env/variables.ts';

export const WEBHOOK_ENDPOINTS_VARIABLES = group('Webhooks', {
  WEBHOOK_PRIVATE_RECEIVERS: define(
    'off',
    flag,
    'on allows webhooks to private and loopback addresses and to http URLs',
  ),
});
