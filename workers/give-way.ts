import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lets all other work of the host go before this process (rule OPS-69). One that was started with a still lower priority keeps it: only a
 * superuser may raise it, and whoever has started it meant it.
 */
export function giveWay(): void {
  const { PRIORITY_BELOW_NORMAL: low } = constants.priority;
  if (getPriority() < low) setPriority(low);
}
