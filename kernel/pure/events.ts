/** Domain events that leave through the outbox. Payloads are ids and counters only. */
export type CarteEvents = {
  /** A menu import has committed a revision (rule MIR-4). */
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
  /** The stop-list of one organization differs from the previous state; ERP item ids (uuid). */
  ErpStopListChanged: { runId: number; organizationId: number; added: string[]; removed: string[] };
  /** The ERP has announced that stop-lists of this connection changed; the marks are rows. */
  ErpStopListsMarked: { connectionId: number };
  /** The terminal groups that decide the stops of these organizations have changed. */
  ErpTerminalsChanged: { connectionId: number; organizationIds: number[] };
  /**
   * Organizations, their names, activity or address changed; `activated` are those without an
   * imported menu.
   */
  ErpOrganizationsChanged: { connectionId: number; organizationIds: number[]; activated?: number[] };
  /** The list of external menus or a setting of one changed: schedules must be reconciled. */
  ExternalMenusChanged: { connectionId: number };
  /**
   * An import was paused or continues: schedules must be reconciled. `ended` is the job that
   * continues; absent when one was paused.
   */
  ImportPausesChanged: {
    connectionId: number;
    ended?: 'ORGANIZATIONS' | 'TERMINALS' | 'MENU_LIST' | 'MENU' | 'STOP_LIST' | 'ZONES' | 'ORDERS';
  };
  /**
   * A storefront edit that guests can see; `organizationIds` null means all. With `productIds` it
   * also concerns restaurants that began to sell one of these products while the edit was under
   * way.
   */
  CatalogChanged: { organizationIds: number[] | null; reason: string; productIds?: number[] };
  /** A revision of one restaurant was pinned, or its pin has ended. */
  SnapshotPinChanged: { organizationId: number };
  /** The busy mode of organizations began, changed or ended. */
  BusyModeChanged: { organizationIds: number[] };
  /** A connection was created, disabled or changed. */
  ConnectionChanged: {
    connectionId: number;
    change: 'CREATED' | 'ENABLED' | 'CREDENTIAL_REPLACED' | 'DISABLED' | 'UPDATED';
  };
  /** Incidents of bindings have changed: their workflows check the rows. */
  BindingIncidentsChanged: {
    incidentIds: number[];
    change: 'opened' | 'dismissed' | 'snoozed' | 'rebound' | 'itemReturned' | 'variantRemoved';
  };
  /** A notification for administrators was stored and must be sent. */
  NotificationRaised: { notificationId: number };
  /**
   * An order was accepted from a guest and must be sent to the ERP. `gifts` are the rights that it
   * has reserved, `discountIds` the discounts that it uses; both are absent without any. Events of
   * earlier releases lack `cartId`.
   */
  OrderAccepted: {
    orderId: string;
    organizationId: number;
    gifts?: string[];
    cartId?: string;
    discountIds?: number[];
  };
  /**
   * Staff send an order again that had failed; the fields are those of `OrderAccepted` (rule
   * ORD-181).
   */
  OrderSentAgain: { orderId: string; organizationId: number; gifts: string[]; cartId: string; discountIds: number[] };
  /**
   * The ERP has announced that something happened to an order, which may be one of ours: the ERP's
   * id of it.
   */
  ErpOrderChanged: { webhookEventId: number; erpOrderId: string };
  /**
   * Rights of a client were redeemed, and their markers wait for removal from the ERP; the markers
   * are rows.
   */
  MarkersWait: { clientId: string; source: 'ERP_CATEGORY' | 'ERP_COMMENT' };
};
export type EventName = keyof CarteEvents;

/**
 * Events that affect what guests can order now, and their orders. They are delivered in a separate
 * lane, so that other slow or failing events do not delay them.
 */
export const URGENT_EVENTS: readonly EventName[] = [
  'ErpStopListChanged',
  'ErpTerminalsChanged',
  'ErpStopListsMarked',
  'OrderAccepted',
  'OrderSentAgain',
];
