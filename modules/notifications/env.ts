import { define, group, optionalUrl } from '../../platform/env/variables.ts';

/** Variables of links in notifications. */
export const NOTIFICATIONS_VARIABLES = group('Notifications', {
  ADMIN_URL: define(
    '',
    optionalUrl,
    'URL of the UI of staff, with the page `/notifications/{id}` for links in notifications. Without it the link is that of the admin API, which a browser cannot open',
  ),
});
