import type { QUEUES } from '../kernel/pure/queues.ts';
import { StartFailure } from '../platform/start-failure.ts';
import { constants, getPriority, setPriority } from 'node:os';

/** The queues of each worker role; `npm run worker -- <role>`. */
export const ROLES = {
  /** Imports and everything that follows them but builds. */
  sync: ['workflows', 'import', 'poll', 'menuPoll', 'erp', 'webhooks'],
  /**
   * Only menus, in a separate process, for hosts with little memory. Runs together with `sync` or
   * `order`.
   */
  import: ['import', 'menuPoll'],
  /**
   * Builds of menus, of which hundreds come at once after an edit of the catalog: in a process
   * that has a lower priority than all others (decision 125).
   */
  build: ['build'],
  /**
   * Orders, in a process whose ERP calls wait for no import; it runs workflows and short commands
   * as well.
   */
  order: ['workflows', 'poll', 'order', 'send'],
  all: ['workflows', 'build', 'import', 'poll', 'menuPoll', 'erp', 'order', 'send', 'webhooks'],
} as const satisfies Record<string, readonly (keyof typeof QUEUES)[]>;

export type Role = keyof typeof ROLES;
export type PolledQueue = (typeof ROLES)[Role][number];

/**
 * Concurrent activities of each queue in one process. An import may have a menu of 5 MB as objects
 * in memory, hence few. Builds compete for one thread: more of them end no sooner together, and
 * each much later.
 */
export const SLOTS: Readonly<Record<PolledQueue, number>> = {
  workflows: 20,
  build: 2,
  import: 2,
  // They wait for the ERP, mostly without a database connection.
  poll: 50,
  menuPoll: 2,
  erp: 8,
  order: 16,
  send: 16,
  // They mostly wait for receivers, without a database connection.
  webhooks: 200,
};

/**
 * Workflows kept in memory between their tasks; each costs its state, and a lost one is replayed.
 */
export const CACHED_WORKFLOWS = 200;

/** The role a worker was started with. Throws StartFailure with a sentence that names the roles. */
export function roleOf(args: readonly string[]): Role {
  const [role] = args;
  if (role !== undefined && role in ROLES) return role as Role;
  throw new StartFailure(`A worker needs one role: ${Object.keys(ROLES).join(', ')}.`);
}

/**
 * Lowers the priority of this process below other work of the host (rule OPS-69). A still lower
 * priority is kept: only a superuser may raise it, and it was set on purpose.
 */
export function giveWay(): void {
  const { PRIORITY_BELOW_NORMAL: low } = constants.priority;
  if (getPriority() < low) setPriority(low);
}
