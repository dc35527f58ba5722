import type { Queues } from '../kernel/pure/queues.ts';
import type { BindingEvaluationInput, IncidentInput } from './binding/messages/binding.ts';
import type { GiftRedemptionInput, MarkerClearInput } from './gifts/messages/gifts.ts';
import type { CheckedGifts, GiftReconciliationInput } from './ordering/messages/gift-reconciliation.ts';
import type { MediaSweepInput } from './media/messages/media.ts';
import type { NotificationSendInput } from './notifications/messages/notifications.ts';
import type { OrderInput, OrderWatchInput } from './ordering/messages/ordering.ts';
import type { SnapshotRebuildInput } from './rebuilds/messages/rebuilds.ts';
import type { SnapshotPinInput } from './menus/messages/snapshot.ts';
import type {
  ConnectionSyncInput,
  ImportInput,
  ImportResult,
  OutboxSweepInput,
  ReconcileInput,
  StopListRefreshInput,
  SyncTickInput,
  SyncTickResult,
} from './mirror/messages/sync.ts';

/**
 * Every workflow type with its input and result. A start, a signal with start and a schedule take their types from here; a test
 * holds it to `workflows/all.ts`. The name is the type on the wire: renaming one breaks running executions.
 */
export type Workflows = {
  bindingEvaluation: (input: BindingEvaluationInput) => Promise<void>;
  categoryClear: (input: MarkerClearInput) => Promise<void>;
  commentClear: (input: MarkerClearInput) => Promise<void>;
  connectionSync: (input: ConnectionSyncInput) => Promise<void>;
  giftRedemption: (input: GiftRedemptionInput) => Promise<void>;
  giftReconciliation: (input: GiftReconciliationInput) => Promise<CheckedGifts>;
  incident: (input: IncidentInput) => Promise<void>;
  mediaSweep: (input?: MediaSweepInput) => Promise<void>;
  menuImport: (input: ImportInput) => Promise<ImportResult>;
  menuListImport: (input: ImportInput) => Promise<ImportResult>;
  notificationSend: (input: NotificationSendInput) => Promise<void>;
  order: (input: OrderInput) => Promise<void>;
  orderWatch: (input: OrderWatchInput) => Promise<void>;
  organizationsImport: (input: ImportInput) => Promise<ImportResult>;
  outboxSweep: (input: OutboxSweepInput) => Promise<void>;
  reconcile: (input: ReconcileInput) => Promise<void>;
  snapshotPin: (input: SnapshotPinInput) => Promise<void>;
  snapshotRebuild: (input: SnapshotRebuildInput) => Promise<void>;
  stopListImport: (input: ImportInput) => Promise<ImportResult>;
  stopListRefresh: (input: StopListRefreshInput) => Promise<void>;
  syncTick: (input: SyncTickInput) => Promise<SyncTickResult>;
  terminalsImport: (input: ImportInput) => Promise<ImportResult>;
  zonesImport: (input: ImportInput) => Promise<ImportResult>;
};

export type WorkflowType = keyof Workflows;

/**
 * Workflows of which there are as many as restaurants at once: their own steps wait on a queue of their own as well, or every other workflow, those of
 * stop-lists and orders among them, would stand behind them (rule SNP-44). All others share one.
 */
export const QUEUE_OF: Partial<Record<WorkflowType, keyof Queues>> = { snapshotRebuild: 'build' };

/** Queues that workflows run on. */
export const WORKFLOW_QUEUES = ['workflows', ...Object.values(QUEUE_OF)] as const;

/** All of them by name. */
export const WORKFLOW_TYPES = Object.keys({
  bindingEvaluation: true,
  categoryClear: true,
  commentClear: true,
  connectionSync: true,
  giftRedemption: true,
  giftReconciliation: true,
  incident: true,
  mediaSweep: true,
  menuImport: true,
  menuListImport: true,
  notificationSend: true,
  order: true,
  orderWatch: true,
  organizationsImport: true,
  outboxSweep: true,
  reconcile: true,
  snapshotPin: true,
  snapshotRebuild: true,
  stopListImport: true,
  stopListRefresh: true,
  syncTick: true,
  terminalsImport: true,
  zonesImport: true,
} satisfies Record<WorkflowType, true>) as WorkflowType[];
