import { measureStaffStreams } from './support/events/staff-streams.ts';
import { measureStreams } from './support/events/streams.ts';
import { measureWebhooks } from './support/events/webhooks.ts';
import { report } from './support/report.ts';

// `npm run carte -- bench events` measures the cost of many receivers: streams of guests and staff
// on one API, and webhook endpoints while guests order.
await report(
  'events',
  [...(await measureStreams()), ...(await measureStaffStreams()), ...(await measureWebhooks())],
  {},
);
