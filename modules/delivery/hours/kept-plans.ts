import { planStatus, type StatusFacts, type StatusPlan } from '../rules/status.ts';
import { timelineOf } from '../rules/timeline.ts';
import type { OrganizationFacts } from './read-facts.ts';

export type Planned = { facts: StatusFacts; plan: StatusPlan };

/** About 10 KB each. */
const MOST = 2_000;
/** Least recently used first. */
const kept = new Map<string, Planned>();

/** Calculates a plan from the local day of a moment (ms) on. */
export function planFor(
  { flags, config, schedule, isErpEnabled }: OrganizationFacts,
  at: number,
): Planned {
  const takes = isErpEnabled ? flags : { ...flags, deliveryEnabled: false, pickupEnabled: false };
  const facts = { timeline: timelineOf(schedule, at), config, flags: takes };
  return { facts, plan: planStatus(facts) };
}

/** True if a plan covers a moment. */
export const answersFor = ({ plan }: Planned, at: number): boolean =>
  at >= plan.validFrom && at < plan.validTo;

/**
 * Returns a cached plan: it takes milliseconds, and every preflight needs one. Facts are read for
 * each request, so edits apply at once.
 */
export function keptPlan(organization: OrganizationFacts, at: number): Planned {
  const { flags, config, schedule, isErpEnabled } = organization;
  const key = JSON.stringify([flags, config, schedule, isErpEnabled]);
  const cached = kept.get(key);
  kept.delete(key);
  const planned =
    cached !== undefined && answersFor(cached, at) ? cached : planFor(organization, at);
  kept.set(key, planned);
  if (kept.size > MOST) kept.delete(kept.keys().next().value!);
  return planned;
}
