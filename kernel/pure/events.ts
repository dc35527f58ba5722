/** Payloads are ids and counters only. */
export type CarteEvents = {
  /** MIR-4. */
  ErpMenuImported: {
    runId: number;
    connectionId: number;
    externalMenuId: number;
    organizationIds: number[];
    revision: number;
    mode: 'FULL' | 'INCREMENTAL';
    /** False if menus need no rebuild. */
    changed: boolean;
  };
  /** UUIDs of ERP items. */
  ErpStopListChanged: { runId: number; organizationId: number; added: string[]; removed: string[] };
  /** The ERP announced changes, which are flagged in rows. */
  ErpStopListsMarked: { connectionId: number };
  /** Terminal groups that determine stops have changed. */
  ErpTerminalsChanged: { connectionId: number; organizationIds: number[] };
  /** Names, activity or address changed. `activated`: organizations without an imported menu. */
  ErpOrganizationsChanged: {
    connectionId: number;
    organizationIds: number[];
    activated?: number[];
  };
  /** Schedules must be reconciled. */
  ExternalMenusChanged: { connectionId: number };
  /** Schedules must be reconciled. `ended`: the job that continues, absent after a new pause. */
  ImportPausesChanged: {
    connectionId: number;
    ended?: 'ORGANIZATIONS' | 'TERMINALS' | 'MENU_LIST' | 'MENU' | 'STOP_LIST' | 'ZONES' | 'ORDERS';
  };
  /**
   * Null in `organizationIds` means all. `productIds` also affects restaurants that started to sell
   * one of these products during the edit.
   */
  CatalogChanged: { organizationIds: number[] | null; reason: string; productIds?: number[] };
  SnapshotPinChanged: { organizationId: number };
  BusyModeChanged: { organizationIds: number[] };
  ConnectionChanged: {
    connectionId: number;
    change: 'CREATED' | 'ENABLED' | 'CREDENTIAL_REPLACED' | 'DISABLED' | 'UPDATED';
  };
  /** Workflows of incidents must check the rows. */
  BindingIncidentsChanged: {
    incidentIds: number[];
    change: 'opened' | 'dismissed' | 'snoozed' | 'rebound' | 'itemReturned' | 'variantRemoved';
  };
  NotificationRaised: { notificationId: number };
  /**
   * An order must be sent. `gifts` (reserved rights) and `discountIds` are absent if empty. Earlier
   * releases did not write `cartId`.
   */
  OrderAccepted: {
    orderId: string;
    organizationId: number;
    gifts?: string[];
    cartId?: string;
    discountIds?: number[];
  };
  /** Staff resend a failed order (ORD-181). */
  OrderSentAgain: {
    orderId: string;
    organizationId: number;
    gifts: string[];
    cartId: string;
    discountIds: number[];
  };
  /** The order may not be ours. */
  ErpOrderChanged: { webhookEventId: number; erpOrderId: string };
  /** Markers of redeemed rights must be removed from the ERP. The rows list them. */
  MarkersWait: { clientId: string; source: 'ERP_CATEGORY' | 'ERP_COMMENT' };
};

export type EventName = keyof CarteEvents;

/**
 * Affect what guests can order now. A separate lane keeps slow or failing events from delaying
 * them.
 */
export const URGENT_EVENTS: readonly EventName[] = [
  'ErpStopListChanged',
  'ErpTerminalsChanged',
  'ErpStopListsMarked',
  'OrderAccepted',
  'OrderSentAgain',
];
