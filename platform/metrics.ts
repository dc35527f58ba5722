import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Every metric of the product in one place. The four `erp_` names are fixed by spec 2, Limits. */
export function createMetrics(service: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    erpSyncDuration: new Histogram({
      name: 'erp_sync_duration_seconds',
      help: 'Duration of one import run',
      labelNames: ['job'] as const,
      buckets: [0.1, 0.3, 1, 3, 10, 30, 60, 180],
      registers,
    }),
    erpSyncItems: new Counter({
      name: 'erp_sync_items_total',
      help: 'Rows an import changed',
      labelNames: ['job', 'action'] as const,
      registers,
    }),
    erpHttpRequests: new Counter({
      name: 'erp_http_requests_total',
      help: 'Requests to the ERP',
      labelNames: ['endpoint', 'status'] as const,
      registers,
    }),
    erpLastSuccess: new Gauge({
      name: 'erp_last_success_timestamp',
      help: 'Unix time of the oldest last success over connections',
      labelNames: ['job'] as const,
      registers,
    }),
    httpRequests: new Counter({
      name: 'carte_http_requests_total',
      help: 'Answered requests',
      labelNames: ['contour', 'route', 'status'] as const,
      registers,
    }),
    httpDuration: new Histogram({
      name: 'carte_http_request_duration_seconds',
      help: 'Duration of answered requests',
      labelNames: ['contour', 'route'] as const,
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    outboxDelivered: new Counter({
      name: 'carte_outbox_delivered_total',
      help: 'Outbox rows delivered',
      labelNames: ['event', 'outcome'] as const,
      registers,
    }),
    webhookEvents: new Counter({
      name: 'carte_webhook_events_total',
      help: 'Elements of incoming webhooks: stored, duplicate, ignored (a type nobody handles) or invalid',
      labelNames: ['type', 'outcome'] as const,
      registers,
    }),
    snapshotBuilds: new Counter({
      name: 'carte_snapshot_builds_total',
      help: 'Snapshot builds by outcome',
      labelNames: ['outcome'] as const,
      registers,
    }),
    snapshotBuildDuration: new Histogram({
      name: 'carte_snapshot_build_duration_seconds',
      help: 'Duration of one snapshot build',
      buckets: [0.01, 0.05, 0.1, 0.3, 0.5, 1, 3],
      registers,
    }),
    deliveryRefreshes: new Counter({
      name: 'carte_delivery_refreshes_total',
      help: 'Buffers an API instance read again',
      labelNames: ['cause'] as const,
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
