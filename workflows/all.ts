/**
 * Every workflow a worker may run: the entry of the bundle. The function names are the types on the
 * wire.
 */
export { bindingEvaluation } from './binding-evaluation.ts';
export { busyMode } from './busy-mode.ts';
export { categoryClear } from './category-clear.ts';
export { commentClear } from './comment-clear.ts';
export { connectionSync } from './connection-sync.ts';
export { giftRedemption } from './gift-redemption.ts';
export { giftReconciliation } from './gift-reconciliation.ts';
export { incident } from './incident.ts';
export { mediaSweep } from './media-sweep.ts';
export { menuImport } from './menu-import.ts';
export { menuListImport } from './menu-list-import.ts';
export { notificationSend } from './notification-send.ts';
export { order } from './order.ts';
export { organizationsImport } from './organizations-import.ts';
export { polling } from './polling.ts';
export { snapshotPin } from './snapshot-pin.ts';
export { snapshotRebuild } from './snapshot-rebuild.ts';
export { stopListImport } from './stop-list-import.ts';
export { stopListRefresh } from './stop-list-refresh.ts';
export { syncTick } from './sync-tick.ts';
export { terminalsImport } from './terminals-import.ts';
export { upkeep } from './upkeep.ts';
export { webhookDelivery } from './webhook-delivery.ts';
export { zonesImport } from './zones-import.ts';
