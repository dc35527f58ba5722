import { Author } from '../../access/schemas/author.ts';
import { Type, type Static } from 'typebox';
import type { Permission } from '../../../kernel/pure/permissions.ts';
import { Id, Named, Nullable, Timestamp, Words } from '../../../kernel/pure/schemas.ts';

/** The permissions of those who can act on a subject, or watch over it. */
const IMPORTS: readonly Permission[] = ['sync.run', 'sync.accept', 'connections.read'];
const MENUS: readonly Permission[] = ['snapshot.manage', 'connections.read'];
const BINDINGS: readonly Permission[] = ['incidents.read'];
const ORDERING: readonly Permission[] = ['ordering.read'];
const ORDERS: readonly Permission[] = ['orders.read'];
const GIFTS: readonly Permission[] = ['compensations.read'];
const WEBHOOKS: readonly Permission[] = ['webhooks.manage'];

/**
 * Kinds of notifications that staff get (rule NOT-1). `when` describes the cause; each
 * kind has an entry in the runbook. `readers` are permissions of which a reader needs one (rule
 * NOT-5).
 */
export const NOTIFICATIONS = {
  SUSPICIOUS_SHRINK: {
    severity: 'CRITICAL',
    readers: IMPORTS,
    title: 'A menu import would remove too many rows',
    when: 'A menu import would have removed more than the threshold allows: items of the menu in a full import, or prices of restaurants in any import. A failed import wrote nothing; a successful one held back the removals in `details`.',
  },
  SNAPSHOT_TOO_LARGE: {
    severity: 'CRITICAL',
    readers: MENUS,
    title: 'A menu is too large to be published',
    when: 'A new menu is larger than the limit. The previous menu stays public.',
  },
  CREDENTIALS_REFUSED: {
    severity: 'CRITICAL',
    readers: IMPORTS,
    title: 'The ERP rejects a connection',
    when: 'The ERP rejects a connection (401 with a new token, or 403): its apiLogin is wrong, was revoked or lacks a permission.',
  },
  ERP_CIRCUIT_OPEN: {
    severity: 'CRITICAL',
    readers: IMPORTS,
    title: 'A part of the ERP does not work',
    when: 'For five minutes, requests of a connection to a group of endpoints have failed, and so have the probes that follow: orders, gifts of clients (LOYALTY), serving restaurants of addresses (ADDRESSES), imports (MENUS) or tokens. `details` names the groups. Resolved when the ERP answers again.',
  },
  ORGANIZATION_REFUSED: {
    severity: 'CRITICAL',
    readers: IMPORTS,
    title: 'The ERP rejects one restaurant',
    when: 'The ERP rejects requests for one organization of a connection (400, 403 or 5xx) and answers for the others. The organization keeps its menu, stop-list, terminal groups and delivery zones; changes of its orders are read when the ERP answers again. `details` names it and the imports (ORDERS: polls of orders).',
  },
  EMPTY_LIST: {
    severity: 'CRITICAL',
    readers: IMPORTS,
    title: 'The ERP no longer lists any restaurant',
    when: 'The list of organizations of a connection is suddenly empty. It was requested again half a minute later; if it was empty again, it is applied.',
  },
  SUSPICIOUS_LIST: {
    severity: 'CRITICAL',
    readers: IMPORTS,
    title: 'The ERP would remove data of many restaurants',
    when: 'A list of organizations, terminal groups or delivery zones lacks those of several restaurants, more than the threshold of a shrink allows, and when it was requested again half a minute later it lacked others. It is not applied; the next one is when it lacks the same.',
  },
  MENU_WITHDRAWN: {
    severity: 'CRITICAL',
    readers: IMPORTS,
    title: 'The ERP no longer lists a menu',
    when: 'Two lists in a row did not contain an external menu that restaurants sell from. Its dishes are shown but cannot be ordered.',
  },
  MENU_NOT_IMPORTED: {
    severity: 'CRITICAL',
    readers: IMPORTS,
    title: 'A menu cannot be imported',
    when: 'Two imports of a menu in a row failed because the ERP rejects it for all restaurants (400, 403), or because its answer cannot be read. The restaurants keep the last imported menu, and a rejected menu is requested less and less often, down to once an hour. Resolved when the menu is imported, withdrawn or switched off.',
  },
  DELIVERY_MAP_BROKEN: {
    severity: 'CRITICAL',
    readers: ORDERING,
    title: 'A delivery map of the ERP is broken',
    when: 'A zone of an organization has a polygon without an area, a border that crosses itself, or the name of another zone. A zone without an area keeps its last polygon, and a new one contains no address. A border that crosses itself counts by the even-odd rule, and `details` has the area of the largest part that a crossing cuts off. Of two zones with one name the first counts.',
  },
  BINDING_MISSING: {
    severity: 'CRITICAL',
    readers: BINDINGS,
    title: 'Products have lost their items',
    when: 'A menu import has opened incidents of the type ITEM_MISSING. There is one notification for each import.',
  },
  BINDING_UNATTENDED: {
    severity: 'CRITICAL',
    readers: BINDINGS,
    title: 'Missing items were not handled',
    when: 'An incident of the type ITEM_MISSING has been open for longer than the setting `binding.escalation_minutes` allows, and was not rebound, dismissed or snoozed. There is one notification for each import.',
  },
  ORDER_DIVERGENCE: {
    severity: 'CRITICAL',
    readers: ORDERS,
    title: 'The ERP and an order disagree',
    when: 'The ERP rejects an order that was accepted from a guest, or reports an order that had ended here. There is one notification for each connection, cause and hour; `details` counts and lists the orders.',
    isResolvedByStaff: true,
  },
  ORDER_NOT_SENT: {
    severity: 'CRITICAL',
    readers: ORDERS,
    title: 'An accepted order did not reach the ERP in time',
    when: 'The time in which an accepted order is sent has passed, and the ERP does not have it. The guest is still waiting. There is one notification for each connection, cause and hour; `details` counts and lists the orders.',
    isResolvedByStaff: true,
  },
  ORDER_STUCK: {
    severity: 'CRITICAL',
    readers: ORDERS,
    title: 'A restaurant does not accept an order',
    when: 'The ERP has had an order for some minutes, but the restaurant has not accepted it. There is one notification for each connection and hour; `details` counts and lists the orders. Resolved when all of them are accepted or have ended.',
  },
  ORDER_NEVER_ENDED: {
    severity: 'INFO',
    readers: ORDERS,
    title: 'The ERP has not ended an order',
    when: 'The time of an order was days ago, and the ERP has neither closed nor canceled it. It was ended here and is no longer tracked. There is one notification for each connection and hour, and one for all delivered orders of a connection; `details` counts and lists the orders.',
    isResolvedByStaff: true,
  },
  ORDERING_LEFT_BEHIND: {
    severity: 'CRITICAL',
    readers: ORDERING,
    title: 'A restaurant has moved to another connection without its settings of ordering',
    when: 'The ERP lists an organization through another connection than before. Hours, switches and ways to pay stay with the former one, and guests cannot order. `details` contains the command that transfers them.',
  },
  DELIVERY_FEE_IN_WORDS: {
    severity: 'INFO',
    readers: ORDERING,
    title: 'The delivery fee of orders stands in their comment only',
    when: 'An order has a delivery fee at which the ERP does not sell the item with the role DELIVERY_FEE. The ERP gets the fee as a comment only, and its total does not include it.',
  },
  GIFT_BROKEN: {
    severity: 'CRITICAL',
    readers: GIFTS,
    title: 'A gift cannot be given',
    when: 'The item of an active reward is missing, not for sale or not free in all its restaurants. The rights of clients to it are blocked until it can be given again.',
  },
  GIFT_LIMITED: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'A gift cannot be given everywhere',
    when: 'The item of an active reward is not sold, or costs something, in some of the restaurants that it is meant for. Clients do not get it there.',
  },
  GIFT_RESERVED_TOO_LONG: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'Orders have reserved gifts for too long',
    when: 'Orders of a connection have reserved gifts for more than an hour, and the result at the ERP is unknown. Resolved when each gift is redeemed or returned.',
  },
  GIFT_STOPPED: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'Promised gifts are in a stop-list',
    when: 'Gifts that clients of a connection were promised have been in the stop-list of a restaurant for more than an hour. Resolved when the stop-lists no longer contain them.',
  },
  GIFT_MARKERS_WAITING: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'Markers of redeemed gifts cannot be removed at the ERP',
    when: 'Categories or comments of clients at the ERP have promised redeemed gifts for more than an hour, because they could not be changed. Resolved when the markers are removed.',
  },
  GIFT_COMMENT_DAMAGED: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'Comments with damaged gift blocks',
    when: 'Comments of clients contain a damaged tag, so their gifts are not granted. Resolved when the cards are read without damage, or were not read for 7 days.',
  },
  GIFT_NAME_UNKNOWN: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'Comments promise unknown gifts',
    when: 'A block in the comment of a client names no active reward, several, or a dish that costs something. Resolved when the cards are read without it, were not read for 7 days, or a reward was changed since.',
  },
  GIFT_CATEGORY_WITHOUT_REWARD: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'Categories of clients have no active reward',
    when: 'Clients have a category of a gift that is switched off here or at the ERP. Resolved when the cards are read without it, were not read for 7 days, or a reward was changed since.',
  },
  GIFT_CANDIDATES_WAITING: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'Phrases in comments wait for a decision',
    when: 'Phrases that may promise gifts have waited for a decision of staff for more than a day. Resolved when each is confirmed or dismissed.',
  },
  GIFTS_NOT_COMPARED: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'The gifts of a connection are not compared',
    when: 'The gifts in orders at the ERP were not compared with the rights to them for 30 hours. Resolved with the next comparison.',
  },
  GIFT_HISTORIES_MISSED: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'Missed orders of clients are not read',
    when: 'The ERP did not answer for more than seven days, and the orders of that time have not been read for some clients after another day. Resolved when all are read.',
  },
  UNAUTHORIZED_COMPENSATION: {
    severity: 'CRITICAL',
    readers: GIFTS,
    title: 'An order contains a gift without a right',
    when: 'An order at the ERP contains a gift to which its client has no right, or has used it with another order. The order stays as it is.',
  },
  COMPENSATION_CANDIDATES: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'Comments of clients may promise gifts',
    when: 'A comment of a client contains a phrase of the setting gift_phrases. Staff must confirm it before a gift is granted.',
    isResolvedByStaff: true,
  },
  COMPENSATION_RETURNED: {
    severity: 'INFO',
    readers: GIFTS,
    title: 'A canceled order returned a gift',
    when: 'An order that had redeemed a gift was canceled at the ERP, and its client was granted the gift again. `details` names the order.',
    isResolvedByStaff: true,
  },
  COMPENSATION_DIVERGENCE: {
    severity: 'CRITICAL',
    readers: GIFTS,
    title: 'The ERP and the rights to gifts disagree',
    when: 'An order from another channel has used a gift that an order of ours had reserved, or an order contains fewer gifts than its right promised, or a canceled order is back although the gift that it returned is in use. Also when a client has paid for the dish of a gift, or got one for another organization. `details` lists the orders.',
    isResolvedByStaff: true,
  },
  GIFTS_DIFFER: {
    severity: 'CRITICAL',
    readers: GIFTS,
    title: 'The gifts of a day do not add up',
    when: 'Orders of a day at the ERP contain more or fewer gifts than rights were redeemed and gifts without a right were found. `details` names the orders. Sent again when the difference changes.',
    isResolvedByStaff: true,
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    severity: 'CRITICAL',
    readers: WEBHOOKS,
    title: 'A webhook endpoint was disabled',
    when: 'The receiver of a webhook endpoint answered 410 (`GONE`), or accepted nothing for three days (`FAILING`). Its events wait and are delivered when it is enabled again within 28 days.',
  },
  WEBHOOK_EVENTS_REFUSED: {
    severity: 'CRITICAL',
    readers: WEBHOOKS,
    title: 'A webhook receiver refuses events',
    when: 'The receiver of a webhook endpoint has refused an event for an hour. At the time `until` of `details`, the event is set aside, or the endpoint is disabled if its receiver accepts no event. Resolved when no event has failed for an hour.',
  },
  WEBHOOK_EVENT_FAILED: {
    severity: 'CRITICAL',
    readers: WEBHOOKS,
    title: 'A webhook event was set aside',
    when: 'The receiver of a webhook endpoint has refused an event for three days and accepted others. The event is not sent again by itself; the deliveries with the status FAILED list it.',
    isResolvedByStaff: true,
  },
  ORDERS_NOT_CONFIGURED: {
    severity: 'CRITICAL',
    readers: ORDERING,
    title: 'Orders of a connection cannot be sent',
    when: 'An order needs a way to pay or a discount of the ERP, and neither staff nor the ERP name which one.',
  },
} as const satisfies Record<
  string,
  {
    severity: 'CRITICAL' | 'INFO';
    title: string;
    when: string;
    readers: readonly Permission[];
    /** It reports a single event without a lasting cause: staff resolve it. */
    isResolvedByStaff?: true;
  }
>;

export type NotificationKind = keyof typeof NOTIFICATIONS;

/** Kinds that staff resolve; the others are resolved when their cause ends. */
export const KINDS_RESOLVED_BY_STAFF = (Object.keys(NOTIFICATIONS) as NotificationKind[]).filter(
  (kind) => 'isResolvedByStaff' in NOTIFICATIONS[kind],
);

/** The kinds that a caller with these permissions may read. */
export const kindsFor = (permissions: readonly Permission[]): NotificationKind[] =>
  (Object.keys(NOTIFICATIONS) as NotificationKind[]).filter((kind) =>
    NOTIFICATIONS[kind].readers.some((permission) => permissions.includes(permission)),
  );

/** Texts of a kind. A kind of a newer version gets its name as text. */
export function notificationTexts(kind: string): { title: string; when: string } {
  const known: Readonly<Record<string, { title: string; when: string }>> = NOTIFICATIONS;
  return known[kind] ?? { title: kind, when: kind };
}

export const NotificationSeverity = Words(['CRITICAL', 'INFO']);

/** One notification as administrators see it. */
export const Notification = Named(
  'Notification',
  Type.Object({
    id: Id,
    kind: Type.String(),
    severity: NotificationSeverity,
    title: Type.String(),
    text: Type.String({ description: 'Description of the event.' }),
    subjectType: Type.String({
      description: 'Kind of the thing that the notification is about, for example `external-menu`.',
    }),
    subjectId: Type.String(),
    details: Type.Record(Type.String(), Type.Unknown()),
    repeated: Type.Integer({
      description: 'Number of times that the same notification was raised again while it was open.',
    }),
    raisedAt: Timestamp,
    lastRaisedAt: Timestamp,
    resolvedAt: Nullable(Timestamp),
    readAt: Nullable(Timestamp),
    resolvedBy: Type.Unsafe<Author | null>({
      ...Nullable(Author),
      description: 'Null if the cause has ended by itself.',
    }),
    readBy: Nullable(Author),
    sentAt: Nullable(Timestamp),
    sendEndedAt: Nullable(Timestamp),
    sendAttempts: Type.Integer(),
    sendError: Nullable(Type.String({ description: 'Why the last attempt to send the notification failed.' })),
  }),
);
export type Notification = Static<typeof Notification>;
