import { define, group, optionalUrl } from '../../platform/env/variables.ts';

export const NOTIFICATIONS_VARIABLES = group('Notifications', {
  ADMIN_URL: define(
    '',
    optionalUrl,
    'URL of the staff UI, whose page `/notifications/{id}` notifications link to. If empty, they link to the admin API, which a browser cannot open',
  ),
});
