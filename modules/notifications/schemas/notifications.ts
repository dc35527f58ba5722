import { Author } from '../../access/schemas/author.ts';
import { Type, type Static } from 'typebox';
import type { Permission } from '../../../kernel/pure/permissions.ts';
import { NOTIFICATION_DETAILS } from './notification-details.ts';
import { Id, Named, Nullable, Timestamp, Words } from '../../../kernel/pure/schemas.ts';

/** Permissions of staff who act on a subject or supervise it. */
const IMPORTS: readonly Permission[] = ['sync.run', 'sync.accept', 'connections.read'];
const MENUS: readonly Permission[] = ['snapshot.manage', 'connections.read'];
const BINDINGS: readonly Permission[] = ['incidents.read'];
const ORDERING: readonly Permission[] = ['ordering.read'];
const ORDERS: readonly Permission[] = ['orders.read'];
const GIFTS: readonly Permission[] = ['compensations.read'];
const WEBHOOKS: readonly Permission[] = ['webhooks.manage'];

/**
 * Kinds for staff (rule NOT-1), each with messages and a runbook entry. A reader needs one of
 * `readers` (rule NOT-5).
 */
export const NOTIFICATIONS = {
  SUSPICIOUS_SHRINK: { severity: 'CRITICAL', readers: IMPORTS },
  SNAPSHOT_TOO_LARGE: { severity: 'CRITICAL', readers: MENUS },
  CREDENTIALS_REFUSED: { severity: 'CRITICAL', readers: IMPORTS },
  ERP_CIRCUIT_OPEN: { severity: 'CRITICAL', readers: IMPORTS },
  ORGANIZATION_REFUSED: { severity: 'CRITICAL', readers: IMPORTS },
  EMPTY_LIST: { severity: 'CRITICAL', readers: IMPORTS },
  SUSPICIOUS_LIST: { severity: 'CRITICAL', readers: IMPORTS },
  MENU_WITHDRAWN: { severity: 'CRITICAL', readers: IMPORTS },
  MENU_NOT_IMPORTED: { severity: 'CRITICAL', readers: IMPORTS },
  DELIVERY_MAP_BROKEN: { severity: 'CRITICAL', readers: ORDERING },
  BINDING_MISSING: { severity: 'CRITICAL', readers: BINDINGS },
  BINDING_UNATTENDED: { severity: 'CRITICAL', readers: BINDINGS },
  ORDER_DIVERGENCE: { severity: 'CRITICAL', readers: ORDERS, isResolvedByStaff: true },
  ORDER_NOT_SENT: { severity: 'CRITICAL', readers: ORDERS, isResolvedByStaff: true },
  ORDER_STUCK: { severity: 'CRITICAL', readers: ORDERS },
  ORDER_NEVER_ENDED: { severity: 'INFO', readers: ORDERS, isResolvedByStaff: true },
  ORDERING_LEFT_BEHIND: { severity: 'CRITICAL', readers: ORDERING },
  DELIVERY_FEE_IN_WORDS: { severity: 'INFO', readers: ORDERING },
  GIFT_BROKEN: { severity: 'CRITICAL', readers: GIFTS },
  GIFT_LIMITED: { severity: 'INFO', readers: GIFTS },
  GIFT_RESERVED_TOO_LONG: { severity: 'INFO', readers: GIFTS },
  GIFT_STOPPED: { severity: 'INFO', readers: GIFTS },
  GIFT_MARKERS_WAITING: { severity: 'INFO', readers: GIFTS },
  GIFT_COMMENT_DAMAGED: { severity: 'INFO', readers: GIFTS },
  GIFT_NAME_UNKNOWN: { severity: 'INFO', readers: GIFTS },
  GIFT_CATEGORY_WITHOUT_REWARD: { severity: 'INFO', readers: GIFTS },
  GIFT_CANDIDATES_WAITING: { severity: 'INFO', readers: GIFTS },
  GIFTS_NOT_COMPARED: { severity: 'INFO', readers: GIFTS },
  GIFT_HISTORIES_MISSED: { severity: 'INFO', readers: GIFTS },
  UNAUTHORIZED_COMPENSATION: { severity: 'CRITICAL', readers: GIFTS },
  COMPENSATION_CANDIDATES: { severity: 'INFO', readers: GIFTS, isResolvedByStaff: true },
  COMPENSATION_RETURNED: { severity: 'INFO', readers: GIFTS, isResolvedByStaff: true },
  COMPENSATION_DIVERGENCE: { severity: 'CRITICAL', readers: GIFTS, isResolvedByStaff: true },
  GIFTS_DIFFER: { severity: 'CRITICAL', readers: GIFTS, isResolvedByStaff: true },
  WEBHOOK_ENDPOINT_DISABLED: { severity: 'CRITICAL', readers: WEBHOOKS },
  WEBHOOK_EVENTS_REFUSED: { severity: 'CRITICAL', readers: WEBHOOKS },
  WEBHOOK_EVENT_FAILED: { severity: 'CRITICAL', readers: WEBHOOKS, isResolvedByStaff: true },
  ORDERS_NOT_CONFIGURED: { severity: 'CRITICAL', readers: ORDERING },
} as const satisfies Record<
  string,
  {
    severity: 'CRITICAL' | 'INFO';
    readers: readonly Permission[];
    /** A single event without a lasting cause: staff resolve it. */
    isResolvedByStaff?: true;
  }
>;

export type NotificationKind = keyof typeof NOTIFICATIONS;

/** The others are resolved when their cause ends. */
export const KINDS_RESOLVED_BY_STAFF = (Object.keys(NOTIFICATIONS) as NotificationKind[]).filter(
  (kind) => 'isResolvedByStaff' in NOTIFICATIONS[kind],
);

/** Returns the kinds that these permissions allow to read. */
export const kindsFor = (permissions: readonly Permission[]): NotificationKind[] =>
  (Object.keys(NOTIFICATIONS) as NotificationKind[]).filter((kind) =>
    NOTIFICATIONS[kind].readers.some((permission) => permissions.includes(permission)),
  );

export const NotificationSeverity = Words(['CRITICAL', 'INFO']);

const NotificationDetails = Named(
  'NotificationDetails',
  Type.Unsafe<Record<string, unknown>>({
    anyOf: Object.values(NOTIFICATION_DETAILS),
    description: 'Numbers, ids, codes and moments. Their schema has the name of the kind.',
  }),
);

export const Notification = Named(
  'Notification',
  Type.Object({
    id: Id,
    kind: Type.String(),
    severity: NotificationSeverity,
    title: Type.String({ description: 'Title in the language of `Accept-Language`.' }),
    text: Type.String({
      description: 'Description of the event in the language of `Accept-Language`.',
    }),
    subjectType: Type.String({
      description: 'Kind of the thing that the notification is about, for example `external-menu`.',
    }),
    subjectId: Type.String(),
    details: NotificationDetails,
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
    sendError: Nullable(
      Type.String({ description: 'Why the last attempt to send the notification failed.' }),
    ),
  }),
);

export type Notification = Static<typeof Notification>;
