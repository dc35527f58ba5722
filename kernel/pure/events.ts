/** Outbox events. Payloads are ids and counters only. */
export type CarteEvents = {
  /** A menu import has committed a revision (MIR-4). */
  ErpMenuImported: {
    runId: number;
    connectionId: number;
    externalMenuId: number;
    organizationIds: number[];
    revision: number;
    mode: 'FULL' | 'INCREMENTAL';
    /** False if the new revision has no changes: menus are not rebuilt. */
    changed: boolean;
  };
  /** ERP item ids (UUID). */
  ErpStopListChanged: { runId: number; organizationId: number; added: string[]; removed: string[] };
  /** The ERP announced changed stop-lists. The flags are rows. */
  ErpStopListsMarked: { connectionId: number };
  /** Terminal groups that decide stops have changed. */
  ErpTerminalsChanged: { connectionId: number; organizationIds: number[] };
  /** Names, activity or address changed. `activated`: organizations without an imported menu. */
  ErpOrganizationsChanged: {
    connectionId: number;
    organizationIds: number[];
    activated?: number[];
  };
  /** The list of menus or a setting changed: schedules must be reconciled. */
  ExternalMenusChanged: { connectionId: number };
  /** Schedules must be reconciled. `ended`: the job that continues, absent after a new pause. */
  ImportPausesChanged: {
    connectionId: number;
    ended?: 'ORGANIZATIONS' | 'TERMINALS' | 'MENU_LIST' | 'MENU' | 'STOP_LIST' | 'ZONES' | 'ORDERS';
  };
  /**
   * A storefront edit that guests can see. `organizationIds` null means all. `productIds`: also
   * affects restaurants that began to sell one of these products during the edit.
   */
  CatalogChanged: { organizationIds: number[] | null; reason: string; productIds?: number[] };
  /** A revision of a restaurant was pinned or unpinned. */
  SnapshotPinChanged: { organizationId: number };
  /** The busy mode of organizations began, changed or ended. */
  BusyModeChanged: { organizationIds: number[] };
  ConnectionChanged: {
    connectionId: number;
    change: 'CREATED' | 'ENABLED' | 'CREDENTIAL_REPLACED' | 'DISABLED' | 'UPDATED';
  };
  /** Binding incidents changed: their workflows check the rows. */
  BindingIncidentsChanged: {
    incidentIds: number[];
    change: 'opened' | 'dismissed' | 'snoozed' | 'rebound' | 'itemReturned' | 'variantRemoved';
  };
  /** A notification must be sent. */
  NotificationRaised: { notificationId: number };
  /**
   * An order must be sent to the ERP. `gifts`: reserved rights. `discountIds`: used discounts. Both
   * are absent if empty. Events of earlier releases lack `cartId`.
   */
  OrderAccepted: {
    orderId: string;
    organizationId: number;
    gifts?: string[];
    cartId?: string;
    discountIds?: number[];
  };
  /** Staff resend a failed order (ORD-181). Fields as in `OrderAccepted`. */
  OrderSentAgain: {
    orderId: string;
    organizationId: number;
    gifts: string[];
    cartId: string;
    discountIds: number[];
  };
  /** The ERP announced a change of an order, which may not be ours. */
  ErpOrderChanged: { webhookEventId: number; erpOrderId: string };
  /** Rights were redeemed, and their markers must be removed at the ERP. The markers are rows. */
  MarkersWait: { clientId: string; source: 'ERP_CATEGORY' | 'ERP_COMMENT' };
};
export type EventName = keyof CarteEvents;

/**
 * Events that affect what guests can order now, and their orders. They have a separate lane, so
 * that slow or failing events do not delay them.
 */
export const URGENT_EVENTS: readonly EventName[] = [
  'ErpStopListChanged',
  'ErpTerminalsChanged',
  'ErpStopListsMarked',
  'OrderAccepted',
  'OrderSentAgain',
];
