/** Task queues; a queue is a budget of slots, not a capability. */
export const QUEUES = {
  /** Workflow tasks and short database activities. */
  workflows: 'carte-workflows',
  /**
   * Builds of menus and their workflows. A change of the catalog causes one for each restaurant, so
   * no other work shares this queue.
   */
  build: 'carte-build',
  /** Fetch, stage and apply of imports: few slots, large memory. */
  import: 'carte-import',
  /** Polls of stop-lists and orders: hung ones keep no import and no order waiting. */
  poll: 'carte-poll',
  /** Polls of menus: few, because a changed answer is a whole menu in memory. */
  menuPoll: 'carte-menu-poll',
  /** Every other call to the ERP. */
  erp: 'carte-erp',
  /** Reading of orders at the ERP: looks, polls and the nightly comparison. */
  order: 'carte-order',
  /** Sending of new orders to the ERP: it waits behind nothing else. */
  send: 'carte-send',
  /**
   * Requests to the receivers of webhooks, which may be slow: nothing of the product waits behind
   * them.
   */
  webhooks: 'carte-webhooks',
} as const;

/** Names of the task queues of one deployment; tests give each suite its own prefix. */
export type Queues = { [K in keyof typeof QUEUES]: string };

/**
 * Queues of activities that a workflow sends to workers of their own; they travel in its input,
 * because they differ by deployment.
 */
export type ActivityQueues = Pick<Queues, 'import' | 'erp'>;

/** The same for workflows that build menus. */
export type BuildQueues = Pick<Queues, 'build'>;

/** The part of the queues that those workflows get in their input. */
export function buildQueues({ build }: BuildQueues): BuildQueues {
  return { build };
}

/** The same for the loop of a connection. */
export type PollQueues = Pick<Queues, 'erp' | 'import' | 'poll' | 'menuPoll'>;

/** The part of the queues that the loop of a connection gets in its input. */
export function pollQueues({ erp, import: imports, poll, menuPoll }: PollQueues): PollQueues {
  return { erp, import: imports, poll, menuPoll };
}

/** The same for workflows of orders; executions of earlier releases have no `send`. */
export type OrderQueues = Pick<Queues, 'order'> & Partial<Pick<Queues, 'send'>>;

/** The part of the queues that workflows of orders get in their input. */
export function orderQueues({ order, send }: Pick<Queues, 'order' | 'send'>): OrderQueues {
  return { order, send };
}

/** The same for workflows of webhooks. */
export type WebhookQueues = Pick<Queues, 'webhooks'>;

/** The part of the queues that workflows of webhooks get in their input. */
export function webhookQueues({ webhooks }: WebhookQueues): WebhookQueues {
  return { webhooks };
}

/** The part of the queues that workflows get in their input. */
export function activityQueues({ import: imports, erp }: ActivityQueues): ActivityQueues {
  return { import: imports, erp };
}

/**
 * Returns the product's queue names with a prefix, so that suites on one Temporal server never
 * share a queue.
 */
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
