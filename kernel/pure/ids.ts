import type { Job } from './jobs.ts';

/**
 * Workflow ids. An id is the named lock of what it does (rule MIR-35): at most one execution of an id runs.
 * Parts are ids of our own, never names, phones or other personal data.
 */
export const workflowIds = {
  organizationsImport: (connectionId: number) => `sync/organizations/${connectionId}`,
  terminalsImport: (connectionId: number) => `sync/terminals/${connectionId}`,
  menuListImport: (connectionId: number) => `sync/menu-list/${connectionId}`,
  menuImport: (connectionId: number, externalMenuId: number) => `sync/menu/${connectionId}/${externalMenuId}`,
  stopListImport: (connectionId: number) => `sync/stop-list/${connectionId}`,
  stopListRefresh: (connectionId: number) => `sync/stop-list-refresh/${connectionId}`,
  zonesImport: (connectionId: number) => `sync/zones/${connectionId}`,
  connectionSync: (connectionId: number) => `sync/all/${connectionId}`,
  /** One for the whole product: an evaluation reads every variant. */
  bindingEvaluation: () => 'binding-evaluation',
  incident: (incidentId: number) => `incident/${incidentId}`,
  snapshotRebuild: (organizationId: number) => `snapshot/${organizationId}`,
  notificationSend: (notificationId: number) => `notification/${notificationId}`,
  snapshotPin: (organizationId: number) => `snapshot-pin/${organizationId}`,
  order: (orderId: string) => `order/${orderId}`,
  giftRedemption: (orderId: string, compensationId: string) => `order/${orderId}/gift/${compensationId}`,
  /** One for each client: two would take turns in writing one comment. */
  commentClear: (clientId: string) => `comment-clear/${clientId}`,
  categoryClear: (clientId: string) => `category-clear/${clientId}`,
  /** What a webhook asks for; the schedule's executions have a time stamp behind it. */
  orderWatch: (connectionId: number) => `order-watch/${connectionId}`,
} as const;

/** Ids of the schedules; Temporal appends a time stamp to the executions they start. */
export const scheduleIds = {
  job: (job: Job, connectionId: number) => `schedule/${job.toLowerCase().replace('_', '-')}/${connectionId}`,
  menu: (connectionId: number, externalMenuId: number) => `schedule/menu/${connectionId}/${externalMenuId}`,
  menuFull: (connectionId: number) => `schedule/menu-full/${connectionId}`,
  orderWatch: (connectionId: number) => `schedule/order-watch/${connectionId}`,
  giftReconciliation: (connectionId: number) => `schedule/gift-reconciliation/${connectionId}`,
  outboxSweep: () => 'schedule/outbox-sweep',
  reconcile: () => 'schedule/reconcile',
  mediaSweep: () => 'schedule/media-sweep',
} as const;

/** The lock id of one import: the same for schedule, manual run and event. `externalMenuId` is required for MENU. */
export function importWorkflowId(job: Job, connectionId: number, externalMenuId: number | null): string {
  switch (job) {
    case 'ORGANIZATIONS':
      return workflowIds.organizationsImport(connectionId);
    case 'TERMINALS':
      return workflowIds.terminalsImport(connectionId);
    case 'MENU_LIST':
      return workflowIds.menuListImport(connectionId);
    case 'STOP_LIST':
      return workflowIds.stopListImport(connectionId);
    case 'ZONES':
      return workflowIds.zonesImport(connectionId);
    case 'MENU':
      if (externalMenuId === null) throw new Error('A MENU import needs an external menu');
      return workflowIds.menuImport(connectionId, externalMenuId);
  }
}

/** The workflow type behind a job; renaming one of these functions is a breaking change for running executions. */
export const IMPORT_WORKFLOWS = {
  ORGANIZATIONS: 'organizationsImport',
  TERMINALS: 'terminalsImport',
  MENU_LIST: 'menuListImport',
  MENU: 'menuImport',
  STOP_LIST: 'stopListImport',
  ZONES: 'zonesImport',
} as const satisfies Record<Job, string>;
