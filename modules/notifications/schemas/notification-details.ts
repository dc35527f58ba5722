import { Type, type Static, type TProperties } from 'typebox';
import {
  Count,
  Id,
  Named,
  Nullable,
  NullableText,
  Uuid,
  Words,
} from '../../../kernel/pure/schemas.ts';

/** Rows of former releases may lack fields or have additional ones. */
const Details = <P extends TProperties>(name: string, properties: P) =>
  Named(`${name}Details`, Type.Partial(Type.Object(properties), { additionalProperties: true }));

const Text = Type.String();
const Moment = Type.String({ format: 'date-time' });
const Texts = Type.Array(Text);
const run = { runId: Id, connectionId: Id };
const removals = { before: Count, vanished: Count, percent: Type.Number() };

const order = { orderId: Uuid, number: Text, organizationId: Id };

const Side = Type.Record(
  Text,
  Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
);

export const MEMBER_DETAILS = {
  ORDER_DIVERGENCE: Details('OrderDivergenceMember', { ...order, ours: Side, erp: Side }),
  ORDER_NOT_SENT: Details('OrderNotSentMember', {
    ...order,
    heldUpBy: NullableText,
    error: NullableText,
    sendUntil: Moment,
  }),
  ORDER_STUCK: Details('OrderStuckMember', { ...order, sentAt: Nullable(Moment) }),
  ORDER_NEVER_ENDED: Details('OrderNeverEndedMember', { ...order, ours: Side, erp: Side }),
} as const;

export type GroupedKind = keyof typeof MEMBER_DETAILS;

/** Contains the number of members and the first 50. */
const Grouped = <K extends GroupedKind>(name: string, kind: K) =>
  Details(name, { count: Count, members: Type.Array(MEMBER_DETAILS[kind]) });

const List = (name: string) => Details(name, { ...run, job: Text });
const Reward = (name: string) =>
  Details(name, { code: Text, reasons: Texts, organizationErpIds: Type.Array(Uuid) });
/** Number, oldest case, and ids of the first 20. */
const Cases = <P extends TProperties>(name: string, ids: P) =>
  Details(name, { count: Count, oldestAt: Nullable(Moment), ...ids });
const Anomalies = Type.Object({ count: Count, samples: Texts });
const giftOrder = { erpOrderId: Uuid, organizationErpId: Uuid, ownOrderId: Nullable(Uuid) };

/** Numbers, ids, codes and times of each kind (rule NOT-7). */
export const NOTIFICATION_DETAILS = {
  SUSPICIOUS_SHRINK: Details('SuspiciousShrink', {
    ...run,
    externalMenuId: Id,
    ...removals,
    thresholdPercent: Type.Number(),
    organization: Nullable(Type.Object({ organizationId: Id, ...removals })),
    modifierGroups: Nullable(Type.Object(removals)),
    heldBack: Type.Array(
      Type.Object({
        what: Words(['PRICES', 'MODIFIERS']),
        organizationId: Nullable(Id),
        name: NullableText,
        ...removals,
      }),
    ),
  }),
  SNAPSHOT_TOO_LARGE: Details('SnapshotTooLarge', {
    organizationId: Id,
    bytes: Count,
    limitBytes: Count,
    parts: Type.Record(Text, Count),
    servedRevision: Nullable(Count),
  }),
  CREDENTIALS_REFUSED: Details('CredentialsRefused', { endpoint: Text, status: Type.Integer() }),
  ERP_CIRCUIT_OPEN: Details('ErpCircuitOpen', { groups: Texts, since: Moment }),
  ORGANIZATION_REFUSED: Details('OrganizationRefused', {
    connectionId: Id,
    organizationErpId: Uuid,
    name: Text,
    jobs: Type.Record(Text, Nullable(Type.Integer()), {
      description: 'The status of the ERP by import.',
    }),
  }),
  EMPTY_LIST: List('EmptyList'),
  SUSPICIOUS_LIST: List('SuspiciousList'),
  MENU_WITHDRAWN: Details('MenuWithdrawn', {
    ...run,
    externalMenuErpId: Text,
    organizations: Count,
  }),
  MENU_NOT_IMPORTED: Details('MenuNotImported', {
    ...run,
    externalMenuId: Id,
    reason: NullableText,
  }),
  DELIVERY_MAP_BROKEN: Details('DeliveryMapBroken', {
    INVALID_ZONE_POLYGON: Anomalies,
    ZONE_LISTED_TWICE: Anomalies,
    ZONE_CROSSES_ITSELF: Anomalies,
  }),
  BINDING_MISSING: Details('BindingMissing', {
    runId: Nullable(Id),
    variants: Count,
    products: Count,
    unpublished: Count,
  }),
  BINDING_UNATTENDED: Details('BindingUnattended', { incidentId: Id, openSince: Moment }),
  ORDER_DIVERGENCE: Grouped('OrderDivergence', 'ORDER_DIVERGENCE'),
  ORDER_NOT_SENT: Grouped('OrderNotSent', 'ORDER_NOT_SENT'),
  ORDER_STUCK: Grouped('OrderStuck', 'ORDER_STUCK'),
  ORDER_NEVER_ENDED: Grouped('OrderNeverEnded', 'ORDER_NEVER_ENDED'),
  ORDERING_LEFT_BEHIND: Details('OrderingLeftBehind', {
    organization: Text,
    organizationErpId: Uuid,
    fromOrganizationId: Id,
    command: Type.Object({ call: Text, body: Type.Record(Text, Type.Unknown()) }),
  }),
  DELIVERY_FEE_IN_WORDS: Details('DeliveryFeeInWords', {
    ...order,
    deliveryFee: Type.Number({ description: 'Rubles.' }),
    itemPrices: Type.Array(Type.Number(), { description: 'Rubles.' }),
  }),
  GIFT_BROKEN: Reward('GiftBroken'),
  GIFT_LIMITED: Reward('GiftLimited'),
  GIFT_RESERVED_TOO_LONG: Cases('GiftReservedTooLong', { compensationIds: Texts }),
  GIFT_STOPPED: Cases('GiftStopped', { rewardIds: Texts }),
  GIFT_MARKERS_WAITING: Cases('GiftMarkersWaiting', { compensationIds: Texts }),
  GIFT_COMMENT_DAMAGED: Cases('GiftCommentDamaged', { clientIds: Texts }),
  GIFT_NAME_UNKNOWN: Cases('GiftNameUnknown', { clientIds: Texts }),
  GIFT_CATEGORY_WITHOUT_REWARD: Cases('GiftCategoryWithoutReward', { clientIds: Texts }),
  GIFT_CANDIDATES_WAITING: Cases('GiftCandidatesWaiting', { candidateIds: Texts }),
  GIFTS_NOT_COMPARED: Cases('GiftsNotCompared', {}),
  GIFT_HISTORIES_MISSED: Cases('GiftHistoriesMissed', { clientIds: Texts }),
  UNAUTHORIZED_COMPENSATION: Details('UnauthorizedCompensation', {
    ...giftOrder,
    kind: Words(['NO_RIGHT', 'REPEATED']),
    rewardId: Nullable(Id),
    quantity: Count,
  }),
  COMPENSATION_CANDIDATES: Details('CompensationCandidates', { clientId: Uuid, candidates: Count }),
  COMPENSATION_RETURNED: Details('CompensationReturned', {
    orderId: Uuid,
    returnedFor: Uuid,
    rewardId: Id,
    quantity: Count,
  }),
  COMPENSATION_DIVERGENCE: Details('CompensationDivergence', {
    what: Words([
      'TAKEN_ELSEWHERE',
      'FEWER_THAN_PROMISED',
      'OTHER_ORGANIZATION',
      'PAID_FOR',
      'RETURNED_AND_RESUMED',
    ]),
    ...giftOrder,
    orderId: Uuid,
    reservedFor: Uuid,
    lacking: Count,
    meantFor: NullableText,
    usedBy: NullableText,
    compensationId: Uuid,
    rewardId: Id,
  }),
  GIFTS_DIFFER: Details('GiftsDiffer', {
    day: Type.String({ description: '`YYYY-MM-DD`.' }),
    organizationErpId: Uuid,
    atErp: Count,
    redeemed: Count,
    unauthorized: Count,
    differingOrders: Count,
    orderIds: Texts,
  }),
  WEBHOOK_ENDPOINT_DISABLED: Details('WebhookEndpointDisabled', {
    endpointId: Id,
    reason: Words(['GONE', 'FAILING']),
  }),
  WEBHOOK_EVENTS_REFUSED: Details('WebhookEventsRefused', {
    endpointId: Id,
    since: Moment,
    until: Moment,
  }),
  WEBHOOK_EVENT_FAILED: Details('WebhookEventFailed', { endpointId: Id, deliveryId: Id }),
  ORDERS_NOT_CONFIGURED: Details('OrdersNotConfigured', {
    missing: Text,
    orderId: Uuid,
    number: Text,
  }),
} as const;

/** Kinds about several cases of a connection. */
export type CasesKind = {
  [K in keyof typeof NOTIFICATION_DETAILS]: 'oldestAt' extends keyof DetailsOf<K> ? K : never;
}[keyof typeof NOTIFICATION_DETAILS];

export type DetailsOf<K extends keyof typeof NOTIFICATION_DETAILS> = Static<
  (typeof NOTIFICATION_DETAILS)[K]
>;
export type MemberDetailsOf<K extends GroupedKind> = Static<(typeof MEMBER_DETAILS)[K]>;
