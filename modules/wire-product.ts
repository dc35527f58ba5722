import type { Client } from '@temporalio/client';
import { createErpClient, type ErpClient } from '../erp/client.ts';
import { createExchangeLog } from '../erp/exchange-log.ts';
import { queuesWithPrefix } from '../kernel/pure/queues.ts';
import type { Database } from '../platform/db/database.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { sendsNotifications } from '../platform/notify-channels.ts';
import { createWebhookSender } from '../platform/webhook-sender.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { createErpPorts } from './connections/erp-calls/erp-ports.ts';
import { createErpStreets } from './delivery/addresses/erp-streets.ts';
import type { Env } from './env.ts';
import { createEventDelivery } from './event-listeners.ts';
import { MEDIA_USES } from './media-uses.ts';
import { PRODUCT_ISSUES } from './product-issues.ts';
import { deleteOutdated, readOverdue } from './retention.ts';
import { schedulePlan } from './schedules.ts';

/** External connections of a process. Tests pass their own. */
export type Ports = {
  env: Env;
  log: Log;
  metrics: Metrics;
  db: Database;
  temporal: Client;
  erp: ErpClient;
};

export type Product = ReturnType<typeof wireProduct>;

/** Creates the parts that API, workers and tests share. Starts nothing. */
export function wireProduct(ports: Ports) {
  const { env, erp } = ports;
  const plan = schedulePlan(env);
  const product = {
    ...ports,
    secrets: createSecretBox(env.ENCRYPTION_KEYS),
    queues: queuesWithPrefix(env.TEMPORAL_QUEUE_PREFIX),
    plan,
    timings: plan.timings,
    debounce: { debounceMs: env.SNAPSHOT_DEBOUNCE, debounceMaxMs: env.SNAPSHOT_DEBOUNCE_MAX },
    // True even if only other processes have the mail account.
    sendsNotifications: sendsNotifications(env),
    deleteOutdated,
    readOverdue,
    mediaUses: MEDIA_USES,
    productIssues: PRODUCT_ISSUES,
    erpStreets: createErpStreets(erp),
    sendWebhook: createWebhookSender({ allowsPrivate: env.WEBHOOK_PRIVATE_RECEIVERS }),
  };

  return { ...product, delivery: createEventDelivery(product) };
}

/**
 * Opens the ERP client with the limits, tokens and circuits that all processes share, and with
 * ERP_EXCHANGE_LOG an exchange log (ERP-23). Closing it flushes the log.
 */
export function openErpClient({
  env,
  log,
  metrics,
  db,
}: Omit<Ports, 'temporal' | 'erp'>): ReturnType<typeof createErpClient> {
  const exchangeLog =
    env.ERP_EXCHANGE_LOG === null
      ? undefined
      : createExchangeLog({ file: env.ERP_EXCHANGE_LOG, log });

  return createErpClient({
    baseUrl: env.ERP_URL,
    ...createErpPorts({
      db,
      secrets: createSecretBox(env.ENCRYPTION_KEYS),
      perSecond: env.ERP_RATE,
    }),
    log,
    timeouts: {
      connectMs: env.ERP_CONNECT_TIMEOUT,
      readMs: env.ERP_READ_TIMEOUT,
      menuReadMs: env.ERP_MENU_READ_TIMEOUT,
    },
    onRequest: ({ endpoint, status }) =>
      metrics.erpHttpRequests.inc({ endpoint, status: String(status) }),
    onOddRows: ({ endpoint, rows }) => metrics.erpOddRows.inc({ endpoint }, rows),
    ...(exchangeLog === undefined ? {} : { exchangeLog }),
  });
}
