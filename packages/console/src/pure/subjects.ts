export type Subject = { kind: string; subjectType: string; subjectId: string; details: unknown };

const PATHS: Readonly<Record<string, (id: string) => string>> = {
  order: (id) => `/orders/${id}`,
  compensation: (id) => `/gifts/${id}`,
  product: (id) => `/products/${id}`,
  'sync-run': (id) => `/sync/runs/${id}`,
  connection: () => '/connections',
  'external-menu': () => '/sync',
  organization: (id) => `/setup/${id}`,
  'orders-of-connection': () => '/orders',
  'webhook-endpoint': () => '/webhooks',
  reward: () => '/rewards',
  'gift-day': () => '/reconciliation',
};

type Details = {
  runId?: number | null;
  orderId?: string;
  ownOrderId?: string | null;
  day?: string;
  incidentId?: number;
  count?: number;
  members?: readonly { orderId?: string }[];
  compensationIds?: readonly string[];
  clientIds?: readonly string[];
};

/** The only element of a list that is complete, or undefined. */
const only = (ids: readonly string[] = [], count: number = ids.length): string | undefined =>
  count === 1 ? ids[0] : undefined;

const orderPath = (id: string | null | undefined): string | undefined =>
  id ? `/orders/${id}` : undefined;

const onlyOrderPath = ({ count, members = [] }: Details): string | undefined =>
  orderPath(
    only(
      members.flatMap(({ orderId }) => orderId ?? []),
      count,
    ),
  );

const guestPath = ({ clientIds, count }: Details): string => {
  const client = only(clientIds, count);
  return client === undefined ? '/gifts' : `/guest?client=${client}`;
};

const giftPath = ({ compensationIds, count }: Details): string => {
  const gift = only(compensationIds, count);
  return gift === undefined ? '/gifts' : `/gifts/${gift}`;
};

const runPath = ({ runId }: Details): string =>
  typeof runId === 'number' ? `/sync/runs/${runId}` : '/sync';

/** Screens of kinds whose subject, often a connection, is not where staff act. */
const KIND_PATHS: Readonly<Record<string, (details: Details) => string | undefined>> = {
  BINDING_MISSING: () => '/incidents',
  BINDING_UNATTENDED: ({ incidentId }) =>
    incidentId === undefined ? '/incidents' : `/incidents/${incidentId}`,
  EMPTY_LIST: runPath,
  SUSPICIOUS_LIST: runPath,
  SUSPICIOUS_SHRINK: runPath,
  MENU_NOT_IMPORTED: runPath,
  MENU_WITHDRAWN: runPath,
  ORDER_DIVERGENCE: onlyOrderPath,
  ORDER_NOT_SENT: onlyOrderPath,
  ORDER_STUCK: onlyOrderPath,
  ORDER_NEVER_ENDED: onlyOrderPath,
  DELIVERY_FEE_IN_WORDS: ({ orderId }) => orderPath(orderId),
  ORDERS_NOT_CONFIGURED: ({ orderId }) => orderPath(orderId),
  COMPENSATION_DIVERGENCE: ({ orderId, ownOrderId }) => orderPath(orderId ?? ownOrderId),
  COMPENSATION_CANDIDATES: () => '/decisions',
  GIFT_CANDIDATES_WAITING: () => '/decisions',
  UNAUTHORIZED_COMPENSATION: () => '/decisions?tab=unauthorized',
  GIFT_RESERVED_TOO_LONG: giftPath,
  GIFT_MARKERS_WAITING: giftPath,
  GIFT_STOPPED: () => '/rewards',
  GIFT_COMMENT_DAMAGED: guestPath,
  GIFT_NAME_UNKNOWN: guestPath,
  GIFT_CATEGORY_WITHOUT_REWARD: guestPath,
  GIFT_HISTORIES_MISSED: guestPath,
  GIFTS_NOT_COMPARED: () => '/reconciliation',
  GIFTS_DIFFER: ({ day }) => (day ? `/reconciliation?from=${day}&to=${day}` : undefined),
};

/**
 * Returns the path of the screen on which staff act for a notification, or null: for example the
 * import of a menu, or the only order of a group.
 */
export function subjectPath({ kind, subjectType, subjectId, details }: Subject): string | null {
  return KIND_PATHS[kind]?.((details ?? {}) as Details) ?? PATHS[subjectType]?.(subjectId) ?? null;
}

/** Kinds of notifications about a single event. Others are resolved when their cause ends. */
export const RESOLVED_BY_STAFF: readonly string[] = [
  'ORDER_DIVERGENCE',
  'ORDER_NOT_SENT',
  'ORDER_NEVER_ENDED',
  'COMPENSATION_CANDIDATES',
  'COMPENSATION_RETURNED',
  'COMPENSATION_DIVERGENCE',
  'GIFTS_DIFFER',
  'WEBHOOK_EVENT_FAILED',
];
