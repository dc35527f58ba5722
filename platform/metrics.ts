import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Creates all metrics. The four `erp_` names are fixed (OPS-5). */
export function createMetrics(service: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const registers = [registry];
  const gauge = <const L extends string = never>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
  ) => new Gauge({ name, help, labelNames: [...labelNames], registers });

  /** In seconds. */
  const timed = <const L extends string>(name: string, help: string, label: L) =>
    new Histogram({
      name,
      help,
      labelNames: [label, 'outcome'] as const,
      buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60],
      registers,
    });

  return {
    registry,
    erpSyncDuration: new Histogram({
      name: 'erp_sync_duration_seconds',
      help: 'Duration of one import run',
      labelNames: ['job'] as const,
      buckets: [0.1, 0.3, 1, 3, 10, 30, 60, 180],
      registers,
    }),
    erpSyncItems: new Counter({
      name: 'erp_sync_items_total',
      help: 'Rows that imports changed',
      labelNames: ['job', 'action'] as const,
      registers,
    }),
    erpHttpRequests: new Counter({
      name: 'erp_http_requests_total',
      help: 'Requests to the ERP',
      labelNames: ['endpoint', 'status'] as const,
      registers,
    }),
    erpOddRows: new Counter({
      name: 'carte_erp_odd_rows_total',
      help: 'Unreadable rows and fields that were left out of answers of the ERP',
      labelNames: ['endpoint'] as const,
      registers,
    }),
    erpLastSuccess: new Gauge({
      name: 'erp_last_success_timestamp',
      help: 'Unix time of the oldest last success over all imports of the job that are due, read from the database at each scrape',
      labelNames: ['job'] as const,
      registers,
    }),
    buildInfo: gauge('carte_build_info', 'Always 1; the labels name the release', [
      'version',
      'commit',
      'node',
    ]),
    clockSkew: gauge(
      'carte_clock_skew_seconds',
      'Minimum by which the clock of the process is ahead of the database clock; negative if it is behind',
    ),
    databaseConnections: gauge(
      'carte_database_connections',
      'PostgreSQL connections of the process that are used or idle, and waiting callers',
      ['state'],
    ),
    httpRequests: new Counter({
      name: 'carte_http_requests_total',
      help: 'Requests that were answered',
      labelNames: ['api', 'route', 'status'] as const,
      registers,
    }),
    httpDuration: new Histogram({
      name: 'carte_http_request_duration_seconds',
      help: 'Duration of answered requests',
      labelNames: ['api', 'route'] as const,
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    openStreams: gauge(
      'carte_streams_open',
      'Event streams that are open, by kind: menu, order or staff',
      ['kind'],
    ),
    slowStreams: new Counter({
      name: 'carte_streams_slow_total',
      help: 'Event streams that were closed because their client did not read them',
      registers,
    }),
    outboxDelivered: new Counter({
      name: 'carte_outbox_delivered_total',
      help: 'Attempts to deliver an event: delivered, failed (retried) or parked',
      labelNames: ['event', 'outcome'] as const,
      registers,
    }),
    geocoderCalls: new Counter({
      name: 'carte_geocoder_calls_total',
      help: 'Geocoder requests by use (CHECKOUT or OTHER) and outcome: answered, failed, refused (4xx), budget_spent or not_called (busy, circuit open, a text that always fails)',
      labelNames: ['use', 'outcome'] as const,
      registers,
    }),
    customerPhonesDropped: new Counter({
      name: 'carte_customer_phones_dropped_total',
      help: 'Phones of valid customer tokens that are not used, by reason: NOT_VERIFIED, UNREADABLE_FLAG (phone_number_verified is no boolean) or UNREADABLE_NUMBER',
      labelNames: ['reason'] as const,
      registers,
    }),
    pollDuration: timed(
      'carte_poll_duration_seconds',
      'Duration of one poll of the ERP: STOP_LIST, MENU (all menus of a connection) or ORDERS, by outcome (succeeded or failed)',
      'job',
    ),
    upkeepStepDuration: timed(
      'carte_upkeep_step_duration_seconds',
      'Duration of one step of the workflow upkeep, by outcome (succeeded or failed)',
      'step',
    ),
    upkeepStepSucceeded: gauge(
      'carte_upkeep_step_success_timestamp_seconds',
      'Unix time of the last success of a step of upkeep in this process, or of the start of the process',
      ['step'],
    ),
    relayDuration: timed(
      'carte_relay_duration_seconds',
      'Duration of one round of a relay (outbox or events), by outcome (succeeded or failed)',
      'relay',
    ),
    relaySucceeded: gauge(
      'carte_relay_success_timestamp_seconds',
      'Unix time of the last success of a relay in this process, or of the start of the process',
      ['relay'],
    ),
    ordersAccepted: new Counter({
      name: 'carte_orders_accepted_total',
      help: 'Orders that were accepted from guests, by the way in which the guest gets them',
      labelNames: ['fulfillment'] as const,
      registers,
    }),
    checkoutsBlocked: new Counter({
      name: 'carte_checkouts_blocked_total',
      help: 'Rejected orders by organization (uuid) and reason: a code of the gate, CART_VERSION or QUOTE',
      labelNames: ['code', 'organization'] as const,
      registers,
    }),
    orderMovesRefused: new Counter({
      name: 'carte_order_moves_refused_total',
      help: 'Moves of orders that the table of steps does not allow. Each one is a defect: nothing was written',
      labelNames: ['from', 'to', 'by'] as const,
      registers,
    }),
    webhookEvents: new Counter({
      name: 'carte_webhook_events_total',
      help: 'Elements of incoming webhooks: stored, duplicate, ignored (the type is not handled), foreign (about a restaurant of another connection) or invalid',
      labelNames: ['type', 'outcome'] as const,
      registers,
    }),
    snapshotBuilds: new Counter({
      name: 'carte_snapshot_builds_total',
      help: 'Snapshot builds by outcome',
      labelNames: ['outcome'] as const,
      registers,
    }),
    snapshotBuildDuration: new Histogram({
      name: 'carte_snapshot_build_duration_seconds',
      help: 'Duration of one snapshot build',
      buckets: [0.01, 0.05, 0.1, 0.3, 0.5, 1, 3],
      registers,
    }),
    bindingIncidents: new Counter({
      name: 'carte_binding_incidents_total',
      help: 'Binding incidents that evaluations opened',
      labelNames: ['type'] as const,
      registers,
    }),
    storefrontRefreshes: new Counter({
      name: 'carte_storefront_refreshes_total',
      help: 'Public answers that an API instance reread from the database',
      labelNames: ['cause'] as const,
      registers,
    }),
    notificationSends: new Counter({
      name: 'carte_notification_sends_total',
      help: 'Attempts to send a notification to administrators',
      labelNames: ['channel', 'outcome'] as const,
      registers,
    }),
    workflowSignalsRejected: new Counter({
      name: 'carte_workflow_signals_rejected_total',
      help: 'Signals that an execution rejected; its details show the reason. The signal is "unknown" if the workflow does not have it',
      labelNames: ['workflow', 'signal'] as const,
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'carte_webhook_attempts_total',
      help: 'Requests to receivers of webhooks',
      labelNames: ['outcome'] as const,
      registers,
    }),
    retentionDeleted: new Counter({
      name: 'carte_retention_deleted_total',
      help: 'Rows that were deleted because their life time was over',
      labelNames: ['what'] as const,
      registers,
    }),
    mediaFilesRemoved: new Counter({
      name: 'carte_media_files_removed_total',
      help: 'Files of the media store that were removed because nothing needs them',
      labelNames: ['what'] as const,
      registers,
    }),
    /** Read from the database at each scrape, so that all processes report correct values. */
    state: {
      up: gauge(
        'carte_state_up',
        '1 when this scrape could read the database. When it is 0, the gauges below are absent',
      ),
      groupUp: gauge(
        'carte_state_group_up',
        '1 when this scrape could read a group of the gauges below. When it is 0, the gauges of the group are absent',
        ['group'],
      ),
      oldestRunningRun: gauge(
        'carte_sync_oldest_running_seconds',
        'Age of the oldest import run that has not ended',
      ),
      importsPaused: gauge('carte_imports_paused', 'Open pauses of imports'),
      stopListOldestDirty: gauge(
        'carte_stop_list_oldest_dirty_seconds',
        'Age of the oldest stop-list mark that no import has processed',
      ),
      outboxPending: gauge('carte_outbox_pending', 'Events that are not delivered and still tried'),
      outboxOldest: gauge(
        'carte_outbox_oldest_pending_seconds',
        'Age of the oldest event that is not delivered',
      ),
      outboxParked: gauge(
        'carte_outbox_parked',
        'Events that are no longer retried and wait for an operator',
      ),
      webhooksPending: gauge(
        'carte_webhook_pending',
        'Stored webhook events that are not processed',
      ),
      webhooksOldest: gauge(
        'carte_webhook_oldest_pending_seconds',
        'Age of the oldest webhook event that is not processed',
      ),
      cartBytes: gauge('carte_cart_bytes', 'Size of the table of carts with its indexes'),
      snapshotsDirty: gauge(
        'carte_snapshot_dirty',
        'Active organizations whose public menu is outdated',
      ),
      snapshotOldestDirty: gauge(
        'carte_snapshot_oldest_dirty_seconds',
        'Longest time that a public menu has been outdated',
      ),
      erpCircuit: gauge(
        'carte_erp_circuit_state',
        'Circuit of a group of endpoints of a connection: 0 closed, 1 the next request tries it, 2 open',
        ['connection', 'group'],
      ),
      incidentsOpen: gauge('carte_incidents_open', 'Binding incidents that are not closed', [
        'severity',
      ]),
      notificationsOpen: gauge(
        'carte_notifications_open',
        'Notifications whose cause still exists',
        ['kind'],
      ),
      notificationsUnsent: gauge(
        'carte_notifications_unsent',
        'Open notifications that a configured channel has not sent: waiting for another attempt, or failed for good',
        ['state'],
      ),
      notificationOldestUnsent: gauge(
        'carte_notification_oldest_unsent_seconds',
        'Age of the oldest open notification that a configured channel has not sent',
      ),
      ordersOpen: gauge('carte_orders_open', 'Orders that have not ended, by state', ['state']),
      orderOldestUntaken: gauge(
        'carte_order_oldest_untaken_seconds',
        'Age of the oldest accepted order that no restaurant has taken',
      ),
      giftOldestReserved: gauge(
        'carte_gift_oldest_reserved_seconds',
        'Age of the oldest gift that an order has reserved and that is neither redeemed nor given back',
      ),
      giftsReturned: gauge(
        'carte_gifts_returned_last_day',
        'Reservations of gifts that came back by themselves within the last 24 hours, because the ERP certainly never had their order',
      ),
      giftsStopped: gauge(
        'carte_gifts_stopped',
        'Gifts that clients were promised and that a restaurant has in its stop-list',
      ),
      markersWaiting: gauge(
        'carte_gift_markers_waiting',
        'Markers of redeemed rights that are still at the ERP, by cause; NOTHING has not been tried',
        ['held_by'],
      ),
      markerOldestWaiting: gauge(
        'carte_gift_marker_oldest_waiting_seconds',
        'Age of the oldest marker of a redeemed right that is still at the ERP, except those of deleted clients',
      ),
      giftCardsFaulty: gauge(
        'carte_gift_cards_faulty',
        'Cards of clients, as read within 7 days, whose promises mean nothing: DAMAGED blocks, blocks with an UNKNOWN name, categories WITHOUT_REWARD',
        ['fault'],
      ),
      securityEvents: gauge(
        'carte_security_events_recent',
        'Security events of the last hour by kind; of one kind from one address at most 60 are counted',
        ['kind'],
      ),
      giftCandidates: gauge(
        'carte_gift_candidates_open',
        'Undecided phrases in comments that may promise a gift',
      ),
      giftCandidateOldest: gauge(
        'carte_gift_candidate_oldest_seconds',
        'Age of the oldest undecided phrase in a comment',
      ),
      giftsLastDay: gauge(
        'carte_gifts_last_day',
        'Units of gifts of the last day that was compared: at_erp in orders at the ERP, redeemed with a right, unauthorized without one',
        ['count'],
      ),
      giftHistories: gauge(
        'carte_gift_histories_missed',
        'Clients whose orders of a gap of more than seven days are still to be read at the ERP',
      ),
      giftHistoryOldest: gauge(
        'carte_gift_history_oldest_missed_seconds',
        'Age of the oldest gap whose orders are still to be read by phone; 0 without one',
      ),
      auditOldestUnsealed: gauge(
        'carte_audit_oldest_unsealed_seconds',
        'Age of the oldest unsealed audit entry; 0 without one',
      ),
      reconciledAgo: gauge(
        'carte_reconcile_age_seconds',
        'Time since the reconciler has run last: it updates the schedules and resumes lost work',
      ),
      giftDaysDiffering: gauge(
        'carte_gift_days_differing',
        'Days of organizations on which orders contain other gifts than are accounted for',
      ),
      ordersRecent: gauge(
        'carte_orders_recent',
        'Accepted orders of a connection in the last hour (`last`) and in the same hour a week ago (`week_ago`)',
        ['connection', 'hour'],
      ),
      orderPollAge: gauge(
        'carte_order_poll_age_seconds',
        'Age of the last successful poll of the orders of a connection; before the first one, the age of the connection',
        ['connection'],
      ),
      giftsOldestCheck: gauge(
        'carte_gifts_oldest_check_seconds',
        'Age of the last comparison of gifts with the rights to them, of the active connection where it is oldest; before the first one, the age of the first right of its clients; 0 if there is none',
      ),
      retentionOverdue: gauge(
        'carte_retention_overdue_seconds',
        'Time since the oldest outdated row of a table should have been deleted; 0 if none is outdated',
        ['table'],
      ),
      taskQueueBacklog: gauge(
        'carte_task_queue_backlog',
        'Tasks waiting for a worker in Temporal',
        ['queue', 'type'],
      ),
      taskQueueOldest: gauge(
        'carte_task_queue_oldest_seconds',
        'Age of the oldest task waiting for a worker in Temporal',
        ['queue', 'type'],
      ),
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Call it once per process: its timers never stop. */
export function addProcessMetrics({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
}
