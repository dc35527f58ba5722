import type { CarteEvents, EventName } from '../../contracts/events.ts';
import type { IncidentChange } from '../../contracts/messages/binding.ts';

/** What a listener does with an event; `app/events/act.ts` knows how. Every action is harmless a second time. */
export type Action =
  /** Starts or wakes `snapshotRebuild` of these organizations; null means all active ones. */
  | { do: 'REBUILD_SNAPSHOTS'; organizationIds: number[] | null }
  /** The same for restaurants that sell these products now and were not known to when they were edited. */
  | { do: 'REBUILD_NEWCOMERS'; known: number[]; productIds: number[] }
  | { do: 'PATCH_AVAILABILITY'; organizationId: number }
  /** Starts or wakes `snapshotPin`, which ends the pin at its time. */
  | { do: 'WATCH_PIN'; organizationId: number }
  /** Starts `connectionSync`, the first import of a connection. */
  | { do: 'SYNC_CONNECTION'; connectionId: number }
  /** The same for connections in use that claim restaurants of a disabled one: their organizations import takes these over. */
  | { do: 'SYNC_CLAIMANTS'; connectionId: number }
  /** Cancels the imports of a connection that is still disabled; their runs end as FAILED with the reason DISABLED. */
  | { do: 'CANCEL_IMPORTS'; connectionId: number }
  | { do: 'APPLY_SCHEDULES' }
  | { do: 'PROCESS_WEBHOOKS' }
  /** Starts `notificationSend`; nothing when this process has no channel to send to. */
  | { do: 'SEND_NOTIFICATION'; notificationId: number }
  /** Starts or wakes `stopListRefresh`, which imports what is marked. */
  | { do: 'REFRESH_STOP_LISTS'; connectionId: number }
  /** Starts or wakes `bindingEvaluation`; the run is the one that made it necessary. */
  | { do: 'EVALUATE_BINDINGS'; runId: number | null }
  /** Starts or signals the workflows of these incidents. */
  | { do: 'SIGNAL_INCIDENTS'; incidentIds: number[]; change: IncidentChange };

/** What a change of a connection asks for, besides its schedules. */
const AFTER_CHANGE = {
  CREATED: ['SYNC_CONNECTION'],
  ENABLED: ['SYNC_CONNECTION'],
  CREDENTIAL_REPLACED: ['SYNC_CONNECTION'],
  DISABLED: ['CANCEL_IMPORTS', 'SYNC_CLAIMANTS'],
  UPDATED: [],
} as const satisfies Record<CarteEvents['ConnectionChanged']['change'], readonly Action['do'][]>;

/** Who listens to which event. An event without a listener is delivered by doing nothing. */
export const LISTENERS: { readonly [E in EventName]: (payload: CarteEvents[E]) => Action[] } = {
  ErpMenuImported: ({ organizationIds, runId, changed = true }) => [
    ...(changed ? [{ do: 'REBUILD_SNAPSHOTS', organizationIds } as const] : []),
    { do: 'EVALUATE_BINDINGS', runId },
  ],
  ErpStopListChanged: ({ organizationId }) => [{ do: 'PATCH_AVAILABILITY', organizationId }],
  ErpWebhookReceived: () => [{ do: 'PROCESS_WEBHOOKS' }],
  ErpStopListsMarked: ({ connectionId }) => [{ do: 'REFRESH_STOP_LISTS', connectionId }],
  ErpTerminalsChanged: ({ organizationIds }) =>
    organizationIds.map((organizationId) => ({ do: 'PATCH_AVAILABILITY', organizationId })),
  ErpOrganizationsChanged: ({ connectionId, organizationIds, activated = [] }) => [
    { do: 'REBUILD_SNAPSHOTS', organizationIds },
    // A restaurant that is new here, or was taken over, has no prices until its menus are imported.
    ...(activated.length === 0 ? [] : [{ do: 'SYNC_CONNECTION', connectionId } as const]),
  ],
  ExternalMenusChanged: () => [{ do: 'APPLY_SCHEDULES' }],
  ImportPausesChanged: ({ connectionId, ended }) => [
    { do: 'APPLY_SCHEDULES' },
    // Marks that came while it was paused have waited long enough; other jobs have only their schedules.
    ...(ended === 'STOP_LIST' ? [{ do: 'REFRESH_STOP_LISTS', connectionId } as const] : []),
  ],
  CatalogChanged: ({ organizationIds, productIds }) => [
    { do: 'REBUILD_SNAPSHOTS', organizationIds },
    ...(organizationIds === null || productIds === undefined
      ? []
      : [{ do: 'REBUILD_NEWCOMERS', known: organizationIds, productIds } as const]),
  ],
  SnapshotPinChanged: ({ organizationId }) => [
    { do: 'REBUILD_SNAPSHOTS', organizationIds: [organizationId] },
    { do: 'WATCH_PIN', organizationId },
  ],
  ConnectionChanged: ({ connectionId, change }) => [
    ...AFTER_CHANGE[change].map((action) => ({ do: action, connectionId })),
    { do: 'APPLY_SCHEDULES' },
  ],
  NotificationRaised: ({ notificationId }) => [{ do: 'SEND_NOTIFICATION', notificationId }],
  BindingIncidentsChanged: ({ incidentIds, change }) => [{ do: 'SIGNAL_INCIDENTS', incidentIds, change }],
};
