import { randomUUID } from 'node:crypto';
import type { Delivery } from '../deliveries.ts';
import type { Context } from '../state.ts';
import { failure, ok, revisionTooOld, stringList } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';
import { orderInfo, wantedAt } from './delivery-wire.ts';
import { visibleOrganizations } from './organizations.ts';

const MOST_IDS = 200;

/** Returns orders by id. Omits unknown ids. */
export function deliveriesById(context: Context, body: Body): Answer {
  const ids = stringList(body.orderIds);
  const posIds = stringList(body.posOrderIds);
  if ((ids === undefined) === (posIds === undefined))
    return failure(400, 'Exactly one of orderIds and posOrderIds.');
  if ((ids ?? posIds ?? []).length > MOST_IDS)
    return failure(400, `At most ${MOST_IDS} ids are allowed.`);
  const organization = visibleOrganizations(context).find(({ id }) => id === body.organizationId);
  if (!organization) return failure(400, 'The organization is not available for this key.');
  const found = (ids ?? [])
    .flatMap((id) => context.state.deliveries.find(id) ?? [])
    .filter(({ organizationId }) => organizationId === organization.id);

  return ok({
    correlationId: randomUUID(),
    orders: found.map((delivery) => orderInfo(context.state.dataset, delivery)),
  });
}

function listed(context: Context, body: Body, isWanted: (delivery: Delivery) => boolean): Answer {
  const wanted = stringList(body.organizationIds) ?? [];
  const keys = stringList(body.sourceKeys);
  const { deliveries, dataset } = context.state;
  const rows = typeof body.rowsCount === 'number' ? body.rowsCount : Infinity;
  const orders = deliveries
    .list()
    .filter(
      (delivery) =>
        isWanted(delivery) &&
        (keys === undefined || keys.includes(String(delivery.order['sourceKey']))),
    )
    .slice(0, rows);

  const seen = orders.filter((order) => wanted.includes(order.organizationId));
  if (body.phone == null && seen.length > (deliveries.settings.mostOrders ?? Infinity))
    return tooMuchData();

  return ok({
    correlationId: randomUUID(),
    maxRevision: deliveries.revision(),
    ordersByOrganizations: visibleOrganizations(context)
      .filter(({ id }) => wanted.includes(id))
      .map(({ id }) => ({
        organizationId: id,
        orders: orders
          .filter((order) => order.organizationId === id)
          .map((order) => orderInfo(dataset, order)),
      })),
  });
}

const tooMuchData = (): Answer =>
  failure(422, 'Too much data is requested.', 'TOO_MANY_DATA_REQUESTED');

/** Returns changes since a revision, which may be at most three hours old. */
export function deliveriesByRevision(context: Context, body: Body): Answer {
  const start = body.startRevision;
  if (typeof start !== 'number') return failure(400, 'startRevision is required.');
  if (!stringList(body.organizationIds)) return failure(400, 'organizationIds is required.');
  if (start < Date.now() - context.state.deliveries.settings.revisionLifeMs)
    return revisionTooOld();

  return listed(context, body, ({ revision }) => revision > start);
}

/** Uses the restaurant's local time. Without a phone, the period may be at most a day. */
export function deliveriesByPhone(context: Context, body: Body): Answer {
  if (!stringList(body.organizationIds)) return failure(400, 'organizationIds is required.');
  const { phone = null, startRevision: start = null } = body;
  const [from, to] = [body.deliveryDateFrom, body.deliveryDateTo].map((date) =>
    typeof date === 'string' ? date : null,
  );
  const hours = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 3_600_000;
  if (phone === null && !(hours <= 24)) return tooMuchData();

  return listed(context, body, (delivery) => {
    const at = wantedAt(context.state.dataset, delivery);
    return (
      (phone === null || delivery.order['phone'] === phone) &&
      (from == null || at >= from) &&
      (to == null || at <= to) &&
      (start === null || delivery.revision > Number(start))
    );
  });
}

const MOST_ROWS = 200;

/** Returns up to 200 orders of one phone of any age. */
export function deliveryHistory(context: Context, body: Body): Answer {
  const { phone, rowsCount } = body;
  if (typeof phone !== 'string' || phone === '') return failure(400, 'phone is required.');
  if (typeof rowsCount !== 'number' || rowsCount < 1 || rowsCount > MOST_ROWS)
    return failure(400, `rowsCount must be between 1 and ${MOST_ROWS}.`);
  return deliveriesByPhone(context, body);
}
