import type { QUEUES } from '../kernel/pure/queues.ts';
import { StartFailure } from '../platform/start-failure.ts';
import { constants, getPriority, setPriority } from 'node:os';

export const ROLES = {
  /** Imports and all that depends on them, except builds. */
  sync: ['workflows', 'import', 'poll', 'menuPoll', 'erp', 'webhooks'],
  /** For hosts with little memory: imports only menus. Runs together with `sync` or `order`. */
  import: ['import', 'menuPoll'],
  /**
   * A separate process with a lower priority, because one edit of the catalog causes hundreds of
   * builds (decision 125).
   */
  build: ['build'],
  /**
   * Keeps ERP calls about orders from waiting for imports. Also runs workflows and short commands.
   */
  order: ['workflows', 'poll', 'order', 'send'],
  all: ['workflows', 'build', 'import', 'poll', 'menuPoll', 'erp', 'order', 'send', 'webhooks'],
} as const satisfies Record<string, readonly (keyof typeof QUEUES)[]>;

export type Role = keyof typeof ROLES;
export type PolledQueue = (typeof ROLES)[Role][number];

/**
 * Maximum concurrent activities per process. Each import may have a menu of 5 MB in memory, and
 * builds share one thread.
 */
export const SLOTS: Readonly<Record<PolledQueue, number>> = {
  workflows: 20,
  build: 2,
  import: 2,
  // Polls wait for the ERP, mostly without a database connection.
  poll: 50,
  menuPoll: 2,
  erp: 8,
  order: 16,
  send: 16,
  // Webhooks wait for their receivers, mostly without a database connection.
  webhooks: 200,
};

/** Number of workflows in memory. Evicted ones are replayed. */
export const CACHED_WORKFLOWS = 200;

/** Returns the role in the arguments. Throws StartFailure that lists all roles. */
export function parseRole(args: readonly string[]): Role {
  const [role] = args;
  if (role !== undefined && role in ROLES) return role as Role;
  throw new StartFailure(`A worker needs one role: ${Object.keys(ROLES).join(', ')}.`);
}

/**
 * Lowers the priority of this process (rule OPS-69). Keeps an even lower priority that was set on
 * purpose.
 */
export function giveWay(): void {
  const { PRIORITY_BELOW_NORMAL: low } = constants.priority;
  if (getPriority() < low) setPriority(low);
}
