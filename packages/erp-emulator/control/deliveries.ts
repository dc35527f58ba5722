import { randomUUID } from 'node:crypto';
import { DELIVERY_STATUSES } from '../deliveries.ts';
import type { Delivery } from '../deliveries.ts';
import { orderInfo } from '../endpoints/delivery-wire.ts';
import { listDishes } from '../model.ts';
import { orderItem } from '../endpoints/order-items.ts';
import { findTerminal } from '../state.ts';
import { toBodies } from '../wire.ts';
import type { State } from '../state.ts';
import { ControlError } from './fields.ts';
import type { Fields } from './fields.ts';

function requireDelivery(state: State, fields: Fields): Delivery {
  const id = fields.text('orderId');
  const delivery = state.deliveries.find(id);
  if (!delivery) throw new ControlError(`orderId: no order ${id}`);
  return delivery;
}

function terminalNamed(
  state: State,
  fields: Fields,
): { organizationId: string; terminalGroupId: string } {
  const terminalGroupId = fields.text('terminalGroupId');
  const organization = state.dataset.organizations.find(({ terminalGroups }) =>
    terminalGroups.some(({ id }) => id === terminalGroupId),
  );
  if (!organization)
    throw new ControlError(`terminalGroupId: no terminal group ${terminalGroupId}`);

  return { organizationId: organization.id, terminalGroupId };
}

const shown = (state: State, delivery: Delivery): object => ({
  orderInfo: orderInfo(state.dataset, delivery),
});

/** Changes how orders are created and cooked. Missing fields stay unchanged. */
export function deliverySettings({ deliveries: { settings } }: State, fields: Fields): object {
  settings.settleMs = fields.optionalNumber('settleMs') ?? settings.settleMs;
  settings.cookMs = fields.optionalNumber('cookMs') ?? settings.cookMs;
  settings.duplicates = fields.optionalOneOf('duplicates', ['error', '400']) ?? settings.duplicates;
  settings.revisions =
    fields.optionalOneOf('revisions', ['clock', 'changes']) ?? settings.revisions;
  settings.revisionLifeMs = fields.optionalNumber('revisionLifeMs') ?? settings.revisionLifeMs;
  if (fields.has('mostOrders')) settings.mostOrders = fields.optionalNumber('mostOrders') ?? null;
  if (fields.has('frontTimeoutMs'))
    settings.frontTimeoutMs = fields.optionalNumber('frontTimeoutMs') ?? null;

  return { ...settings };
}

/** Ends the creation of an order, successfully or with an error code. */
export function settleDelivery(state: State, fields: Fields): object {
  const delivery = requireDelivery(state, fields);
  const code = fields.optionalText('code');
  state.deliveries.settle(
    delivery,
    code === undefined ? null : { code, message: 'The restaurant refuses the order.' },
  );

  return shown(state, delivery);
}

/** Adds an order taken by phone, by default in the first restaurant. */
export function putDelivery(state: State, fields: Fields): object {
  const named = fields.optionalText('organizationId');
  const organization = state.dataset.organizations.find(
    ({ id }) => named === undefined || id === named,
  );
  const [terminalGroup] = organization?.terminalGroups ?? [];
  if (!organization || !terminalGroup)
    throw new ControlError(`organizationId: no organization ${named}`);
  const organizationId = organization.id;
  const customerId = fields.optionalText('customerId');
  const items = fields.objects('items').map((item) => ({
    type: 'Product',
    productId: item.optionalText('productId') ?? dishNamed(state, item.text('name')),
    productSizeId: item.optionalText('productSizeId') ?? null,
    amount: item.optionalNumber('amount') ?? 1,
    price: item.optionalNumber('price') ?? 0,
  }));

  const delivery = state.deliveries.add(
    {
      id: (fields.optionalText('orderId') ?? randomUUID()).toLowerCase(),
      organizationId,
      terminalGroupId: terminalGroup.id,
      correlationId: randomUUID(),
      isPickup: false,
      sum: items.reduce((sum, { amount, price }) => sum + amount * price, 0),
      order: {
        phone: fields.optionalText('phone') ?? '',
        customer:
          customerId === undefined
            ? { type: 'one-time', name: 'Гость' }
            : { type: 'regular', id: customerId, name: 'Гость' },
        items,
        sourceKey: 'call-centre',
      },
    },
    { afterMs: 0, error: null },
  );

  const daysAgo = fields.optionalNumber('daysAgo') ?? 0;
  delivery.reached.set('Created', Date.now() - daysAgo * 86_400_000);

  return shown(state, delivery);
}

function dishNamed({ dataset }: State, name: string): string {
  const dish = [...dataset.menus.values()].flatMap(listDishes).find((entry) => entry.name === name);
  if (!dish) throw new ControlError(`name: no dish ${name}`);
  return dish.id;
}

/** Edits the lines of one dish like an operator: removes them or changes their number. */
export function editDelivery(state: State, fields: Fields): object {
  const delivery = requireDelivery(state, fields);
  const productId = fields.text('productId');
  const amount = fields.number('amount');
  const lines = toBodies(delivery.order['items']).filter(
    (item) => orderItem(item).productId === productId,
  );
  if (lines.length === 0) throw new ControlError(`productId: the order has no ${productId}`);

  for (const line of lines)
    Object.assign(
      line,
      amount === 0 ? { deleted: { deletionMethod: { comment: 'Ошибка' } } } : { amount },
    );

  state.deliveries.setStatus(delivery, delivery.status);

  return shown(state, delivery);
}

export function setDeliveryStatus(state: State, fields: Fields): object {
  const delivery = requireDelivery(state, fields);
  if (delivery.creation !== 'Success') throw new ControlError('orderId: the order is not created');
  state.deliveries.setStatus(delivery, fields.oneOf('status', DELIVERY_STATUSES));
  return shown(state, delivery);
}

/**
 * Moves an order to a terminal group of any organization. `keepsStatus`: the former order is not
 * canceled.
 */
export function moveDelivery(state: State, fields: Fields): object {
  const delivery = requireDelivery(state, fields);
  if (delivery.creation !== 'Success') throw new ControlError('orderId: the order is not created');
  const { organizationId, terminalGroupId } = terminalNamed(state, fields);
  const keepsStatus = fields.flag('keepsStatus', false);

  return shown(
    state,
    state.deliveries.move(delivery, organizationId, terminalGroupId, keepsStatus),
  );
}

export function setTerminal(state: State, fields: Fields): object {
  const { terminalGroupId } = terminalNamed(state, fields);
  const before = findTerminal(state, terminalGroupId);
  const terminal = {
    isAlive: fields.flag('alive', before.isAlive),
    slowMs: fields.optionalNumber('slowMs') ?? before.slowMs,
  };

  state.terminals.set(terminalGroupId, terminal);

  return { terminalGroupId, ...terminal };
}

/** Returns orders as they are in answers, with the requests that created them. */
export function readDeliveries(state: State): object {
  return {
    deliveries: state.deliveries.list().map((delivery) => ({
      ...orderInfo(state.dataset, delivery),
      terminalGroupId: delivery.terminalGroupId,
      sent: delivery.order,
    })),
  };
}
