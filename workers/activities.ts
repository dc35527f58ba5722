import { createBindingActivities } from '../activities/binding.ts';
import { createBusyModeActivities } from '../activities/busy-mode.ts';
import { createGiftActivities, createMarkerActivities } from '../activities/gifts.ts';
import { createMediaActivities } from '../activities/media.ts';
import { createMenuActivities } from '../activities/menu.ts';
import { createMirrorActivities } from '../activities/mirror.ts';
import { createNotificationActivities } from '../activities/notifications.ts';
import { createOrderingActivities } from '../activities/ordering.ts';
import { createPollActivities } from '../activities/polling.ts';
import { createRunActivities } from '../activities/runs.ts';
import { createBuildActivities, createPinActivities } from '../activities/snapshot.ts';
import { createUpkeepActivities } from '../activities/upkeep.ts';
import { createWebhookActivities } from '../activities/webhooks.ts';
import type { Product } from '../modules/wire-product.ts';
import type { Failpoint } from '../platform/failpoint.ts';
import type { MediaStore } from '../platform/media-store.ts';
import type { NotifyChannel } from '../platform/notify-channels.ts';
import type { QueueActivities } from './temporal-workers.ts';

type WorkerPorts = {
  failpoint: Failpoint;
  mediaStore: () => Promise<MediaStore>;
  channels: NotifyChannel[];
};

/** Reserve after the time limit of a statement, then the connection is lost. */
const LOST_AFTER_MS = 5_000;

export function createActivities(product: Product, ports: WorkerPorts): QueueActivities {
  const { env } = product;
  const deps = {
    ...product,
    ...ports,
    publicUrl: env.PUBLIC_URL,
    adminUrl: env.ADMIN_URL,
    orphanGraceMs: env.MEDIA_ORPHAN_GRACE,
    statementMs: env.DATABASE_STATEMENT_TIMEOUT + LOST_AFTER_MS,
  };

  const ordering = createOrderingActivities(deps);
  const { readPollPlan, pausePolls, resumePolls, acceptHeldBack, ...polls } =
    createPollActivities(deps);

  return {
    build: createBuildActivities(deps),
    workflows: {
      ...createRunActivities(deps),
      ...createUpkeepActivities(deps),
      readPollPlan,
      pausePolls,
      resumePolls,
      acceptHeldBack,
      ...createPinActivities(deps),
      ...createBusyModeActivities(deps),
      ...createNotificationActivities(deps),
      ...createGiftActivities(deps),
      ...createBindingActivities(deps),
      ...createMediaActivities(deps),
    },
    import: createMenuActivities(deps),
    poll: { pollStopLists: polls.pollStopLists, pollOrders: polls.pollOrders },
    menuPoll: { pollMenus: polls.pollMenus },
    erp: {
      ...createMirrorActivities(deps),
      ...createMarkerActivities(deps),
      probeCircuits: polls.probeCircuits,
    },
    // Executions of earlier releases send orders on this queue.
    order: ordering,
    send: { sendOrder: ordering.sendOrder },
    webhooks: createWebhookActivities(deps),
  };
}
