import { randomUUID } from 'node:crypto';
import type { Delivery, DeliveryError, Ending } from '../deliveries.ts';
import type { Fault } from '../faults.ts';
import type { Organization, TerminalGroup, Dataset } from '../model.ts';
import { findTerminal } from '../state.ts';
import type { Context, State } from '../state.ts';
import { failure, isBody, ok } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';
import { cloudFault, isPickup, restaurantFault, shapeFault, stopFault } from './delivery-checks.ts';
import type { Sent } from './delivery-checks.ts';
import { orderInfo } from './delivery-wire.ts';
import { computeSum } from './order-sum.ts';
import { visibleOrganizations } from './organizations.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FRONT_TIMEOUT_SECONDS = 8;

function modifierPrice({ menus }: Dataset, organizationId: string, id: string): number {
  const known = [...menus.values()].flatMap(({ modifiers }) =>
    modifiers.filter((modifier) => modifier.id === id),
  );
  return known.map(({ prices }) => prices.get(organizationId)).find((price) => price != null) ?? 0;
}

function planned(fault: Fault | undefined): {
  atOnce?: DeliveryError;
  later?: DeliveryError;
  stuck?: true;
} {
  const error = {
    code: fault?.code ?? 'Common',
    message: 'The order is refused, as the fault asks for.',
  };
  if (fault?.kind === 'order-error') return { atOnce: error };
  if (fault?.kind === 'order-error-later') return { later: error };

  return fault?.kind === 'order-stuck' ? { stuck: true } : {};
}

function planEnding(state: State, sent: Sent, settings: Body, fault: Fault | undefined): Ending {
  const { atOnce, later, stuck } = planned(fault);
  if (stuck) return null;
  const found =
    atOnce ?? cloudFault(sent) ?? (settings['checkStopList'] === true ? stopFault(sent) : null);
  if (found !== null) return { afterMs: 0, error: found };
  const { settleMs, frontTimeoutMs } = state.deliveries.settings;
  const { isAlive, slowMs } = findTerminal(state, sent.terminal?.id ?? '');
  const timeout = Number(settings['transportToFrontTimeout'] ?? FRONT_TIMEOUT_SECONDS) * 1000;
  const patience = frontTimeoutMs ?? timeout;
  if (!isAlive || slowMs > patience) {
    return {
      afterMs: patience,
      error: { code: 'Common', message: 'Creation timeout expired, order moved to error.' },
    };
  }

  return { afterMs: Math.max(settleMs, slowMs, 1), error: later ?? restaurantFault(sent) };
}

function terminalFor({ terminalGroups }: Organization, wanted: unknown): TerminalGroup | null {
  if (wanted != null) return terminalGroups.find(({ id }) => id === wanted) ?? null;
  return terminalGroups.find(({ asleep }) => !asleep) ?? null;
}

/**
 * Creates an order. An invalid body results in 400, a fault found by the cloud in an immediate
 * error, and a fault found by the restaurant in a later one. An existing id is a duplicate in any
 * state.
 */
export function createDelivery(context: Context, body: Body): Answer {
  const { state, fault } = context;
  const organization = visibleOrganizations(context).find(({ id }) => id === body.organizationId);
  if (!organization)
    return failure(
      400,
      'The organization is not available for this key.',
      'OrganizationUnregistered',
    );

  if (!isBody(body.order)) return failure(400, 'order is required.');
  const { order } = body;
  const settings = isBody(body.createOrderSettings) ? body.createOrderSettings : {};
  const sent = {
    dataset: state.dataset,
    organization,
    terminal: terminalFor(organization, body.terminalGroupId),
    order,
  };

  const broken = shapeFault(sent);
  if (broken !== null) return failure(400, `${broken.code}: ${broken.message}`);
  const id =
    typeof order['id'] === 'string' && UUID.test(order['id'])
      ? order['id'].toLowerCase()
      : randomUUID();

  const correlationId = randomUUID();
  const existing = state.deliveries.find(id);
  if (existing) return duplicate(state, existing, correlationId);
  const delivery = state.deliveries.add(
    {
      id,
      correlationId,
      organizationId: organization.id,
      terminalGroupId: sent.terminal?.id ?? '',
      isPickup: isPickup(sent),
      sum: computeSum(order, (id) => modifierPrice(state.dataset, organization.id, id)),
      order,
    },
    planEnding(state, sent, settings, fault),
  );

  return ok({ correlationId, orderInfo: orderInfo(state.dataset, delivery) });
}

/** The answer shows a new, failed creation. The order does not change. */
function duplicate(
  state: State,
  { id, organizationId, revision }: Delivery,
  correlationId: string,
): Answer {
  const message = `Order ${id} already exists.`;
  if (state.deliveries.settings.duplicates === '400')
    return failure(400, `DuplicatedOrderId: ${message}`);
  const errorInfo = {
    code: 'DuplicatedOrderId',
    message,
    description: null,
    additionalData: null,
    errorReason: null,
  };

  return ok({
    correlationId,
    orderInfo: {
      id,
      organizationId,
      timestamp: revision,
      creationStatus: 'Error',
      errorInfo,
      order: null,
    },
  });
}
