import { measureStreams } from './support/events/streams.ts';
import { measureWebhooks } from './support/events/webhooks.ts';
import { report } from './support/report.ts';

// `npm run carte -- bench events`: what it costs to notify many receivers: listeners of streams on
// one API, and endpoints of webhooks while guests order.
await report('events', [...(await measureStreams()), ...(await measureWebhooks())], {});
