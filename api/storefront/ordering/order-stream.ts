import { PassThrough } from 'node:stream';
import { OrderEvents } from '../../../modules/ordering/schemas/orders.ts';
import {
  orderStatus,
  statusKey,
  type OrderStatusEvent,
} from '../../../modules/ordering/orders/order-watch.ts';
import { Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { eventsText, firstText, STREAM_HEADERS } from '../../http/live/event-streams.ts';
import { defineRoute } from '../../http/route.ts';

export const orderStreamRoute = defineRoute({
  api: 'public',
  method: 'GET',
  path: '/orders/{order_id}/stream',
  operationId: 'streamOrder',
  summary: 'Statuses of an order as they happen',
  description:
    'Server-sent events. `status` has `orderId`, `status`, `problem`, `message` for the guest and `isFinal`. It is sent when the ' +
    'stream opens and after each change. The stream ends after the last status. A client that connects again sends ' +
    '`Last-Event-ID`; if it has the last status, the answer is 204. A comment follows every 15 seconds without events. A ' +
    'stream that was opened with an access token ends when the token expires.',
  tags: ['Orders'],
  permission: 'order',
  params: Strict({ order_id: Uuid }),
  responses: { 200: OrderEvents, 204: null },
  mediaType: 'text/event-stream',
  problems: ['unavailable'],
  handler: async ({ actor, headers, clientAddress }, { db, streams, orderWatch }) => {
    const event = await orderStatus(db, actor.orderId);
    const isKnown = headers['last-event-id'] === statusKey(event);
    if (isKnown && event.isFinal) return { status: 204 };
    const stream = new PassThrough();
    streams.add('order', stream, clientAddress);
    const send = (next: OrderStatusEvent): void => {
      streams.broadcast(
        [stream],
        eventsText(statusKey(next), [{ type: 'status', data: JSON.stringify(next) }]),
      );

      if (next.isFinal) stream.end();
    };

    stream.write(firstText());
    const unwatch = orderWatch.watch(event, send);
    stream.once('close', unwatch);
    endAt(stream, actor.tokenExpiresAt);
    if (!isKnown) send(event);

    return { status: 200, body: stream as unknown as string, headers: STREAM_HEADERS };
  },
});

/** The longest timer in ms, about 25 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** Ends a stream when the access token that opened it expires (rule ORD-153). */
function endAt(stream: PassThrough, moment: Date | null): void {
  if (moment === null) return;
  const timer = setTimeout(() => stream.end(), Math.min(moment.getTime() - Date.now(), LONGEST_MS));
  timer.unref();
  stream.once('close', () => clearTimeout(timer));
}
