import type { BindingActivities } from '../../activities/binding.ts';
import type { BusyModeActivities } from '../../activities/busy-mode.ts';
import type { CompensationActivities } from '../../activities/gifts.ts';
import type {
  EventActivities,
  UpkeepActivities,
  MediaActivities,
  NotificationActivities,
} from '../../activities/upkeep.ts';
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
  EventActivities &
  MediaActivities &
  MenuActivities &
  MirrorActivities &
  NotificationActivities &
  OrderingActivities &
  PinActivities &
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
 * The summary of each activity, for the history of an execution in Temporal's UI (rule OPS-50):
 * plain words and our own ids, never anything of a person.
 */
const SUMMARIES: Summaries = {
  openRun: ({ job, connectionId, externalMenuId }) =>
    `Open the record of an import: ${job}, connection ${connectionId}${externalMenuId === undefined ? '' : `, menu ${externalMenuId}`}`,
  planMenuImport: ({ externalMenuId, runId }) => `Decide what run ${runId} asks of menu ${externalMenuId}`,
  closeRun: ({ runId, status }) => `Close the record of run ${runId}: ${status}`,
  menusOfConnection: ofConnection('List the imported menus'),
  stopListsMarked: ofConnection('Look for marked stop-lists'),
  markFullDue: ({ externalMenuIds }) => `Mark for a full import: ${externalMenuIds.length} menus`,

  fetchAndStage: ({ externalMenuErpId, batch, organizationIds }) =>
    `Fetch menu ${externalMenuErpId} of the ERP, batch ${batch + 1}: ${organizationIds.length} restaurants`,
  applyImport: ({ externalMenuId, mode, runId }) => `Write menu ${externalMenuId} of run ${runId}: ${mode}`,
  previewImport: ({ externalMenuId, runId }) => `Compute what run ${runId} would change of menu ${externalMenuId}`,
  asyncMenuStatus: ofConnection('Ask the ERP whether it has prepared a menu'),
  importOrganizations: ofConnection('Import the organizations'),
  importTerminals: ofConnection('Import the terminal groups'),
  importMenuList: ofConnection('Import the list of menus and price categories'),
  importStopLists: ofConnection('Import the stop-lists'),
  importZones: ofConnection('Import the delivery zones'),
  refreshTokens: 'Renew the tokens of connections that end soon',

  buildSnapshot: ({ organizationId }) => `Build the public menu of organization ${organizationId}`,
  endDueBusyModes: 'End the busy modes whose time is over',
  endDuePin: ({ organizationId }) => `End the pin of organization ${organizationId} when its time is over`,

  evaluateBindings: ({ runId }) =>
    runId === null ? 'Evaluate all bindings' : `Evaluate all bindings after run ${runId}`,
  readIncidentState: ({ incidentId }) => `Look where incident ${incidentId} stands`,
  settleIncident: ({ incidentId, change }) => `Do what an operator asks of incident ${incidentId}: ${change}`,
  escalateIncident: ({ incidentId }) => `Tell administrators again of incident ${incidentId}`,
  reopenIncident: ({ incidentId }) => `Open incident ${incidentId} again: its snooze is over`,

  sendOrder: ({ orderId }) => `Send order ${orderId} to the ERP`,
  lookAtOrder: ({ orderId }) => `Read order ${orderId} at the ERP`,
  withdrawOrder: ({ orderId, by }) => `Withdraw order ${orderId}, asked for by ${by}`,
  pollOrders: ofConnection('Ask the ERP for changed orders'),
  readLastOrders: ofConnection('Read the orders of the last days'),
  compareGifts: ofConnection('Compare the gifts of the last days'),
  checkTerminals: ofConnection('Ask which terminals take orders'),

  lookAtGift: ({ compensationId, orderId }) => `Look where gift ${compensationId} of order ${orderId} stands`,
  clearNextMarker: ({ clientId, source }) => `Take the next marker of client ${clientId} away: ${source}`,

  sendNotification: ({ notificationId }) => `Send notification ${notificationId} to administrators`,
  giveUpNotification: ({ notificationId }) => `Record that notification ${notificationId} was given up`,
  deliverWebhooks: ({ endpointId }) => `Deliver events to webhook endpoint ${endpointId}`,

  sweepMedia: ({ after }) => `Remove files without media, ${after === null ? 'first batch' : `from ${after} on`}`,
  deliverEvents: 'Deliver the events that are due',

  applySchedules: 'Make the schedules those that the rows want',
  reconcileImports: 'Take up imports that nobody runs',
  reconcileSnapshots: 'Wake rebuilds and pins that nobody runs',
  reconcileNotifications: 'Start the sending of notifications that nobody sends',
  reconcileBindings: 'Start evaluations and incidents that nobody runs',
  reconcileBusyModes: 'End busy modes whose timer was lost',
  reconcileOrders: 'Start orders that nobody accompanies',
  reconcileRights: 'End rights to gifts whose term is over, check the gifts, and evaluate their alerts',
  reconcileGifts: 'Start the clearing of markers that nobody clears',
  sealAudit: 'Take new entries of the audit into its chain',
  deleteOutdated: 'Delete rows whose time is over',
};

/** The activity's call with its summary; without one for an activity that is not known here. */
export function summarized<
  T extends { readonly activityType: string; readonly args: unknown[]; readonly options: object },
>(input: T): T {
  const summary = SUMMARIES[input.activityType as keyof Summaries] as string | ((first: unknown) => string) | undefined;
  if (summary === undefined) return input;
  const text = typeof summary === 'string' ? summary : summary(input.args[0]);
  return { ...input, options: { ...input.options, summary: text } };
}
