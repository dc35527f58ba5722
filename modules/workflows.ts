import { busyModeWorkflow } from './delivery/messages/busy-mode.ts';
import { bindingEvaluationWorkflow, incidentWorkflow } from './binding/messages/binding.ts';
import {
  categoryClearWorkflow,
  commentClearWorkflow,
  giftRedemptionWorkflow,
} from './gifts/messages/gifts.ts';
import { webhookDeliveryWorkflow } from './events/messages/webhooks.ts';
import { mediaSweepWorkflow } from './media/messages/media.ts';
import { snapshotPinWorkflow } from './menus/messages/snapshot.ts';
import {
  connectionSyncWorkflow,
  IMPORT_WORKFLOWS,
  stopListRefreshWorkflow,
  syncTickWorkflow,
} from './mirror/messages/sync.ts';
import { pollingWorkflow } from './mirror/messages/polling.ts';
import { upkeepWorkflow } from './mirror/messages/upkeep.ts';
import { notificationSendWorkflow } from './notifications/messages/notifications.ts';
import { giftReconciliationWorkflow } from './ordering/messages/gift-reconciliation.ts';
import { orderWorkflow } from './ordering/messages/ordering.ts';
import { snapshotRebuildWorkflow } from './menus/rebuilds/messages/rebuilds.ts';

/** A test compares them with `workflows/all.ts`. */
export const WORKFLOWS = [
  bindingEvaluationWorkflow,
  busyModeWorkflow,
  categoryClearWorkflow,
  commentClearWorkflow,
  connectionSyncWorkflow,
  giftReconciliationWorkflow,
  giftRedemptionWorkflow,
  incidentWorkflow,
  mediaSweepWorkflow,
  notificationSendWorkflow,
  orderWorkflow,
  pollingWorkflow,
  snapshotPinWorkflow,
  snapshotRebuildWorkflow,
  stopListRefreshWorkflow,
  syncTickWorkflow,
  upkeepWorkflow,
  webhookDeliveryWorkflow,
  ...Object.values(IMPORT_WORKFLOWS),
] as const;

export const WORKFLOW_QUEUES = [...new Set(WORKFLOWS.map(({ queue }) => queue))];
