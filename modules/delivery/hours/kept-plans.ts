import { planStatus, type StatusFacts, type StatusPlan } from '../rules/status.ts';
import { timelineOf } from '../rules/timeline.ts';
import type { OrganizationFacts } from './read-facts.ts';

/** The hours of an organization as moments, and its status in periods. */
export type Planned = { facts: StatusFacts; plan: StatusPlan };

/** Plans kept at most: about 10 KB each. */
const MOST = 2_000;
/** By the facts they were made of, the one used longest ago first. */
const kept = new Map<string, Planned>();

/**
 * Works out the plan that answers for the local day of a moment (milliseconds) and some days after
 * it.
 */
export function planFor({ flags, config, schedule, isErpEnabled }: OrganizationFacts, at: number): Planned {
  const takes = isErpEnabled ? flags : { ...flags, deliveryEnabled: false, pickupEnabled: false };
  const facts = { timeline: timelineOf(schedule, at), config, flags: takes };
  return { facts, plan: planStatus(facts) };
}

/** True while a plan answers for a moment. */
export const answersFor = ({ plan }: Planned, at: number): boolean => at >= plan.validFrom && at < plan.validTo;

/**
 * The same, worked out once for equal facts: a week of hours costs milliseconds, and each preflight
 * needs it. Facts are compared as read for this request, so edits are never answered from memory.
 */
export function keptPlan(organization: OrganizationFacts, at: number): Planned {
  const { flags, config, schedule, isErpEnabled } = organization;
  const key = JSON.stringify([flags, config, schedule, isErpEnabled]);
  const cached = kept.get(key);
  kept.delete(key);
  const planned = cached !== undefined && answersFor(cached, at) ? cached : planFor(organization, at);
  kept.set(key, planned);
  if (kept.size > MOST) kept.delete(kept.keys().next().value!);
  return planned;
}
