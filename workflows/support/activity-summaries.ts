import type { BindingActivities } from '../../activities/binding.ts';
import type { BusyModeActivities } from '../../activities/busy-mode.ts';
import type { CompensationActivities } from '../../activities/gifts.ts';
import type { MediaActivities } from '../../activities/media.ts';
import type { NotificationActivities } from '../../activities/notifications.ts';
import type { PollActivities } from '../../activities/polling.ts';
import type { UpkeepActivities } from '../../activities/upkeep.ts';
import type { MenuActivities } from '../../activities/menu.ts';
import type { MirrorActivities } from '../../activities/mirror.ts';
import type { OrderingActivities } from '../../activities/ordering.ts';
import type { RunActivities } from '../../activities/runs.ts';
import type { WebhookActivities } from '../../activities/webhooks.ts';
import type { BuildActivities, PinActivities } from '../../activities/snapshot.ts';

type Activities = BindingActivities &
  BuildActivities &
  BusyModeActivities &
  CompensationActivities &
  MediaActivities &
  MenuActivities &
  MirrorActivities &
  NotificationActivities &
  OrderingActivities &
  PinActivities &
  PollActivities &
  RunActivities &
  UpkeepActivities &
  WebhookActivities;

type Summaries = {
  [Name in keyof Activities]: string | ((input: Parameters<Activities[Name]>[0]) => string);
};

const ofConnection =
  (what: string) =>
  ({ connectionId }: { connectionId: number }) =>
    `${what} of connection ${connectionId}`;

/**
 * Summaries for the history in Temporal's UI (OPS-50), with plain words and our own ids but no
 * personal data.
 */
const SUMMARIES: Summaries = {
  openRun: ({ job, connectionId, externalMenuId }) =>
    `Open the record of an import: ${job}, connection ${connectionId}${externalMenuId === undefined ? '' : `, menu ${externalMenuId}`}`,
  planMenuImport: ({ externalMenuId, runId }) =>
    `Select the scope of run ${runId} for menu ${externalMenuId}`,
  closeRun: ({ runId, status }) => `Close the record of run ${runId}: ${status}`,
  menusOfConnection: ofConnection('List the imported menus'),
  stopListsMarked: ofConnection('Find marked stop-lists'),
  markFullDue: ({ externalMenuIds }) => `Mark for a full import: ${externalMenuIds.length} menus`,

  fetchAndStage: ({ externalMenuErpId, batch, organizationIds }) =>
    `Fetch menu ${externalMenuErpId} of the ERP, batch ${batch + 1}: ${organizationIds.length} restaurants`,
  applyImport: ({ externalMenuId, mode, runId }) =>
    `Write menu ${externalMenuId} of run ${runId}: ${mode}`,
  previewImport: ({ externalMenuId, runId }) =>
    `Compute what run ${runId} would change of menu ${externalMenuId}`,
  asyncMenuStatus: ofConnection('Check if the ERP has prepared a menu'),
  importOrganizations: ofConnection('Import the organizations'),
  importTerminals: ofConnection('Import the terminal groups'),
  importMenuList: ofConnection('Import the list of menus and price categories'),
  importStopLists: ofConnection('Import the stop-lists'),
  importZones: ofConnection('Import the delivery zones'),

  buildSnapshot: ({ organizationId }) => `Build the public menu of organization ${organizationId}`,
  endDueBusyModes: 'End expired busy modes',
  endDuePin: ({ organizationId }) =>
    `End the pin of organization ${organizationId} when its time is over`,

  evaluateBindings: ({ connectionId, runId }) =>
    `Evaluate ${connectionId == null ? 'all bindings' : `the bindings of connection ${connectionId}`}${runId === null ? '' : ` after run ${runId}`}`,
  readIncidentState: ({ incidentId }) => `Read the state of incident ${incidentId}`,
  moveIncident: ({ incidentId, move }) =>
    `Apply the change of an operator to incident ${incidentId}: ${move}`,
  settleIncident: ({ incidentId, change }) =>
    `Apply the change of an operator to incident ${incidentId}: ${change}`,
  escalateIncident: ({ incidentId }) => `Notify administrators again of incident ${incidentId}`,
  reopenIncident: ({ incidentId }) => `Open incident ${incidentId} again: its snooze is over`,

  sendOrder: ({ orderId }) => `Send order ${orderId} to the ERP`,
  lookAtOrder: ({ orderId }) => `Read order ${orderId} at the ERP`,
  cancelOrder: ({ orderId }) => `Cancel order ${orderId} for an operator`,
  withdrawOrder: ({ orderId, by }) => `Withdraw order ${orderId}, requested by ${by}`,
  readLastOrders: ofConnection('Read the orders of the last days'),
  compareGifts: ofConnection('Compare the gifts of the last days'),

  lookAtGift: ({ compensationId, orderId }) =>
    `Read the state of gift ${compensationId} of order ${orderId}`,
  resolveConflict: ({ conflictId, decision }) =>
    `Decide about conflict ${conflictId} for an operator: ${decision}`,
  clearNextMarker: ({ clientId, source }) =>
    `Remove the next marker of client ${clientId}: ${source}`,

  sendNotification: ({ notificationId }) => `Send notification ${notificationId} to administrators`,
  giveUpNotification: ({ notificationId }) =>
    `Record that notification ${notificationId} was given up`,
  deliverWebhooks: ({ endpointId }) => `Deliver events to webhook endpoint ${endpointId}`,

  sweepMedia: ({ after }) =>
    `Remove files without media, ${after === null ? 'first batch' : `from ${after} on`}`,
  readPollPlan: ofConnection('Read which jobs are polled, and when,'),
  pollStopLists: ofConnection('Poll the stop-lists'),
  pollMenus: ofConnection('Poll the menus'),
  pollOrders: ofConnection('Poll the orders'),
  probeCircuits: ofConnection('Probe the open circuits'),
  pausePolls: ({ job, connectionId }) =>
    `Pause ${job} of connection ${connectionId} for an operator`,
  resumePolls: ({ job, connectionId }) =>
    `End the pause of ${job} of connection ${connectionId} for an operator`,
  acceptHeldBack: ({ runId }) => `Accept the held-back import of run ${runId} for an operator`,

  runUpkeep: ({ steps }) =>
    steps === undefined
      ? 'Resume lost work and delete outdated rows'
      : `Run for an operator: ${steps.join(', ')}`,
};

export function summarized<
  T extends { readonly activityType: string; readonly args: unknown[]; readonly options: object },
>(input: T): T {
  const summary = SUMMARIES[input.activityType as keyof Summaries] as
    | string
    | ((first: unknown) => string)
    | undefined;
  if (summary === undefined) return input;
  const text = typeof summary === 'string' ? summary : summary(input.args[0]);

  return { ...input, options: { ...input.options, summary: text } };
}
