import type { DeliverySlots, OrderingStatus } from '../schemas/hours.ts';
import { Problem } from '../../../kernel/problem.ts';
import { GUEST_WORDS } from '../rules/guest-words.ts';
import type { FulfillmentType } from '../rules/status.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { createOrganizationClock, type OrganizationClock } from './organization-clock.ts';
import type { OrderingDeps } from '../configuration/ordering-config.ts';
import { readFacts } from './read-facts.ts';
import { listExpectationSteps, readSharedFacts } from './shared-facts.ts';

/** Returns the status for guests at a moment. Problem `not-found`. */
export async function previewStatus(
  deps: OrderingDeps,
  organizationId: number,
  at: number,
): Promise<OrderingStatus> {
  return (await storedClock(deps, organizationId)).status(at);
}

/** Returns the slots for guests at a moment. Problem `not-found`. */
export async function previewSlots(
  deps: OrderingDeps,
  organizationId: number,
  type: FulfillmentType,
  at: number,
): Promise<DeliverySlots> {
  const clock = await storedClock(deps, organizationId);
  const { expectations } = await readSharedFacts(deps.db);
  return clock.slots(type, at, listExpectationSteps({ expectations }, organizationId, at));
}

async function storedClock(
  { db, env }: OrderingDeps,
  organizationId: number,
): Promise<OrganizationClock> {
  const read = await readFacts(db, [organizationId], {
    since: 'ever',
    timeZone: env.SYNC_TIME_ZONE,
  });

  const facts = read.get(organizationId);
  if (facts === undefined) throw new Problem('not-found', { detail: 'No such organization.' });
  const { guest_language: language } = await readSettings(db, 'guest_language');

  return createOrganizationClock(facts, GUEST_WORDS[language]);
}
