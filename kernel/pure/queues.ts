/** A queue is a budget of slots, not a module. */
export const QUEUES = {
  /** Workflow tasks and short database activities. */
  workflows: 'carte-workflows',
  /** A catalog change builds one menu per restaurant, so the queue is not shared. */
  build: 'carte-build',
  /** Few slots, much memory. */
  import: 'carte-import',
  /** Separate, so that hanging polls of stop-lists and orders delay nothing else. */
  poll: 'carte-poll',
  /** Few slots, because a changed answer is a whole menu in memory. */
  menuPoll: 'carte-menu-poll',
  erp: 'carte-erp',
  /** Single reads, polls and the nightly comparison of ERP orders. */
  order: 'carte-order',
  /** New orders never wait behind other work. */
  send: 'carte-send',
  /** Receivers may be slow. */
  webhooks: 'carte-webhooks',
} as const;

/** Test suites have prefixes. */
export type Queues = { [K in keyof typeof QUEUES]: string };

/** In the input of workflows, because names differ by deployment. */
export type ActivityQueues = Pick<Queues, 'import' | 'erp'>;

export type BuildQueues = Pick<Queues, 'build'>;

export function buildQueues({ build }: BuildQueues): BuildQueues {
  return { build };
}

export type PollQueues = Pick<Queues, 'erp' | 'import' | 'poll' | 'menuPoll'>;

export function pollQueues({ erp, import: imports, poll, menuPoll }: PollQueues): PollQueues {
  return { erp, import: imports, poll, menuPoll };
}

/** Executions of earlier releases lack `send`. */
export type OrderQueues = Pick<Queues, 'order'> & Partial<Pick<Queues, 'send'>>;

export function orderQueues({ order, send }: Pick<Queues, 'order' | 'send'>): OrderQueues {
  return { order, send };
}

export type WebhookQueues = Pick<Queues, 'webhooks'>;

export function webhookQueues({ webhooks }: WebhookQueues): WebhookQueues {
  return { webhooks };
}

export function activityQueues({ import: imports, erp }: ActivityQueues): ActivityQueues {
  return { import: imports, erp };
}

/** Lets suites share a Temporal server. */
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
