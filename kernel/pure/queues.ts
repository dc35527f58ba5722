/** A queue is a budget of slots, not a module. */
export const QUEUES = {
  /** Workflow tasks and short database activities. */
  workflows: 'carte-workflows',
  /**
   * Builds of menus. A catalog change causes one per restaurant, so no other work shares this
   * queue.
   */
  build: 'carte-build',
  /** Fetch, stage and apply of imports: few slots, much memory. */
  import: 'carte-import',
  /** Polls of stop-lists and orders: if they hang, imports and orders do not wait. */
  poll: 'carte-poll',
  /** Polls of menus: few slots, because a changed answer is a whole menu in memory. */
  menuPoll: 'carte-menu-poll',
  /** All other ERP calls. */
  erp: 'carte-erp',
  /** Reads of ERP orders: single reads, polls and the nightly comparison. */
  order: 'carte-order',
  /** Sends new orders to the ERP, never behind other work. */
  send: 'carte-send',
  /** Requests to webhook receivers, which may be slow. */
  webhooks: 'carte-webhooks',
} as const;

/** Queue names of a deployment. Test suites have prefixes. */
export type Queues = { [K in keyof typeof QUEUES]: string };

/** Activity queues in the input of workflows, because names differ by deployment. */
export type ActivityQueues = Pick<Queues, 'import' | 'erp'>;

export type BuildQueues = Pick<Queues, 'build'>;

/** Returns the queues for the input of menu workflows. */
export function buildQueues({ build }: BuildQueues): BuildQueues {
  return { build };
}

export type PollQueues = Pick<Queues, 'erp' | 'import' | 'poll' | 'menuPoll'>;

/** Returns the queues for the input of a connection's loop. */
export function pollQueues({ erp, import: imports, poll, menuPoll }: PollQueues): PollQueues {
  return { erp, import: imports, poll, menuPoll };
}

/** Executions of earlier releases lack `send`. */
export type OrderQueues = Pick<Queues, 'order'> & Partial<Pick<Queues, 'send'>>;

/** Returns the queues for the input of order workflows. */
export function orderQueues({ order, send }: Pick<Queues, 'order' | 'send'>): OrderQueues {
  return { order, send };
}

export type WebhookQueues = Pick<Queues, 'webhooks'>;

/** Returns the queues for the input of webhook workflows. */
export function webhookQueues({ webhooks }: WebhookQueues): WebhookQueues {
  return { webhooks };
}

/** Returns the queues for the input of import workflows. */
export function activityQueues({ import: imports, erp }: ActivityQueues): ActivityQueues {
  return { import: imports, erp };
}

/** Returns queue names with a prefix, so that suites on one Temporal server do not share queues. */
export function queuesWithPrefix(prefix: string): Queues {
  return {
    workflows: prefix + QUEUES.workflows,
    build: prefix + QUEUES.build,
    import: prefix + QUEUES.import,
    poll: prefix + QUEUES.poll,
    menuPoll: prefix + QUEUES.menuPoll,
    erp: prefix + QUEUES.erp,
    order: prefix + QUEUES.order,
    send: prefix + QUEUES.send,
    webhooks: prefix + QUEUES.webhooks,
  };
}
