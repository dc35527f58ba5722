import { planStatus, type StatusFacts, type StatusPlan } from '../rules/status.ts';
import { buildTimeline } from '../rules/timeline.ts';
import type { OrganizationFacts } from './read-facts.ts';

export type Planned = { facts: StatusFacts; plan: StatusPlan };

/** A plan takes about 10 KB. */
const MOST = 2_000;
/** Least recently used first. */
const cache = new Map<string, Planned>();

/** Calculates a plan that starts with the local day of a moment (ms). */
export function planFor(
  { flags, config, schedule, isErpEnabled }: OrganizationFacts,
  at: number,
): Planned {
  const takes = isErpEnabled ? flags : { ...flags, deliveryEnabled: false, pickupEnabled: false };
  const facts = { timeline: buildTimeline(schedule, at), config, flags: takes };
  return { facts, plan: planStatus(facts) };
}

export const answersFor = ({ plan }: Planned, at: number): boolean =>
  at >= plan.validFrom && at < plan.validTo;

/**
 * Returns a cached plan, because a calculation takes milliseconds and every preflight needs a plan.
 * Facts are read for each request, so edits apply at once.
 */
export function keptPlan(organization: OrganizationFacts, at: number): Planned {
  const { flags, config, schedule, isErpEnabled } = organization;
  const key = JSON.stringify([flags, config, schedule, isErpEnabled]);
  const cached = cache.get(key);
  cache.delete(key);
  const planned =
    cached !== undefined && answersFor(cached, at) ? cached : planFor(organization, at);
  cache.set(key, planned);
  if (cache.size > MOST) cache.delete(cache.keys().next().value!);

  return planned;
}
