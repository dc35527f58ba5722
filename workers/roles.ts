import type { QUEUES } from '../kernel/pure/queues.ts';
import { StartFailure } from '../platform/start-failure.ts';
import { constants, getPriority, setPriority } from 'node:os';

export const ROLES = {
  /** Imports and everything that follows them, except builds. */
  sync: ['workflows', 'import', 'poll', 'menuPoll', 'erp', 'webhooks'],
  /** Only menus, for hosts with little memory. Runs together with `sync` or `order`. */
  import: ['import', 'menuPoll'],
  /**
   * An edit of the catalog causes hundreds of builds at once, so their process has a lower
   * priority (decision 125).
   */
  build: ['build'],
  /** ERP calls about orders wait for no import. Also runs workflows and short commands. */
  order: ['workflows', 'poll', 'order', 'send'],
  all: ['workflows', 'build', 'import', 'poll', 'menuPoll', 'erp', 'order', 'send', 'webhooks'],
} as const satisfies Record<string, readonly (keyof typeof QUEUES)[]>;

export type Role = keyof typeof ROLES;
export type PolledQueue = (typeof ROLES)[Role][number];

/**
 * Concurrent activities per process. Each import may have a menu of 5 MB as objects in memory.
 * Builds compete for one thread.
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
  // They wait for receivers, mostly without a database connection.
  webhooks: 200,
};

/** In memory. Evicted workflows are replayed. */
export const CACHED_WORKFLOWS = 200;

/** Returns the role. Throws StartFailure that names the roles. */
export function roleOf(args: readonly string[]): Role {
  const [role] = args;
  if (role !== undefined && role in ROLES) return role as Role;
  throw new StartFailure(`A worker needs one role: ${Object.keys(ROLES).join(', ')}.`);
}

/**
 * Lowers the priority of this process (rule OPS-69). A still lower priority was set on purpose
 * and stays.
 */
export function giveWay(): void {
  const { PRIORITY_BELOW_NORMAL: low } = constants.priority;
  if (getPriority() < low) setPriority(low);
}
