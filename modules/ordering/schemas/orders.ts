import { Type, type Static } from 'typebox';
import { CheckoutEta, CheckoutQuestion } from './cart.ts';
import { Author } from '../../access/schemas/author.ts';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from '../rules/attempt-answers.ts';
import type { CodeOf } from '../../../kernel/pure/codes.ts';
import {
  Codes,
  Count,
  Id,
  Money,
  Named,
  Nullable,
  NullableText,
  Strict,
  Timestamp,
  Uuid,
  Words,
} from '../../../kernel/pure/schemas.ts';

/** Version 1 of the API may add fields, but not remove them. */

const OrderStatus = Codes('OrderStatus');
const OrderProblemCode = Codes('OrderProblem');

export const NewOrder = Named(
  'NewOrder',
  Strict({
    ...CheckoutQuestion.properties,
    customer: Type.Optional(
      Named(
        'OrderCustomer',
        Strict({
          name: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 60,
              description:
                'A customer may leave it out when their provider gives a name, or an earlier order has one.',
            }),
          ),
          phone: Type.Optional(
            Type.String({
              minLength: 10,
              maxLength: 60,
              description:
                'May end with an extension, for example `8 999 000-11-22 доб. 12`. ' +
                'A customer may leave it out when their provider vouches for one.',
            }),
          ),
        }),
      ),
    ),
    comment: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    quoteId: Type.Optional(
      Nullable(Type.Unsafe<string>({ ...Uuid, description: 'The quote of preflight.' })),
    ),
  }),
);

export type NewOrder = Static<typeof NewOrder>;

export const PlacedOrder = Named(
  'PlacedOrder',
  Type.Object({
    orderId: Uuid,
    number: Type.String({
      description: 'Number of the order for people: unique for the organization and the day.',
    }),
    status: OrderStatus,
    total: Money,
    eta: CheckoutEta,
    createdAt: Timestamp,
  }),
);

export type PlacedOrder = Static<typeof PlacedOrder>;

const OrderModifier = Named(
  'OrderModifier',
  Type.Object({
    modifierId: Uuid,
    name: Type.String(),
    quantity: Count,
    freeQuantity: Count,
    unitPrice: Money,
  }),
);

const OrderLine = Named(
  'OrderLine',
  Type.Object({
    type: Codes('OrderLineType'),
    productId: Nullable(Id),
    variantId: Nullable(Id),
    name: Type.String(),
    variantName: NullableText,
    quantity: Type.Integer({ minimum: 1 }),
    modifiers: Type.Array(OrderModifier),
    unitPrice: Money,
    lineTotal: Money,
    orderable: Type.Boolean({
      description: 'False for what the server added and for gifts: it is not ordered again.',
    }),
    hidden: Type.Boolean({ description: 'The client does not show it.' }),
  }),
);

/** A gift that guests cannot order. */
const OrderGift = Named(
  'OrderGift',
  Type.Object({
    ...OrderLine.properties,
    total: Money,
    leftOut: Type.Boolean({
      description:
        'True when another order of the client has brought it before this one was sent to the restaurant: this order comes without it.',
    }),
    unavailableReason: Codes('NotOrderableReason'),
  }),
);

export type OrderGift = Static<typeof OrderGift>;

const StatusChange = Named(
  'OrderStatusChange',
  Type.Object({
    status: OrderStatus,
    at: Timestamp,
    problem: Nullable(OrderProblemCode),
    corrected: Type.Optional(
      Type.Boolean({
        description:
          'True if the status comes before the previous one: the restaurant has corrected its order.',
      }),
    ),
  }),
);

export type OrderChannel = CodeOf<'OrderChannel'>;

const listed = {
  orderId: Uuid,
  channel: Type.Optional(Codes('OrderChannel')),
  number: Type.String(),
  organizationId: Uuid,
  status: OrderStatus,
  message: Type.String({ description: 'Meaning of the status for the guest.' }),
  problem: Nullable(OrderProblemCode),
  fulfillment: Type.Object({ type: Codes('FulfillmentType'), slotId: Type.String() }),
  paymentMethod: Type.String(),
  eta: CheckoutEta,
  total: Money,
  createdAt: Timestamp,
};

/** A stream of server-sent events. */
export const OrderEvents = Named(
  'OrderEvents',
  Type.String({ description: 'Events `status`, each with `id` and one line of JSON in `data`.' }),
);

export const ListedOrder = Named(
  'ListedOrder',
  Type.Object({ ...listed, gifts: Type.Array(OrderGift) }),
);

export type ListedOrder = Static<typeof ListedOrder>;

const whole = {
  ...listed,
  cancellable: Type.Boolean({ description: 'True until the order is sent to the restaurant.' }),
  lines: Type.Array(OrderLine),
  gifts: Type.Array(OrderGift),
  subtotal: Money,
  discounts: Type.Array(
    Named(
      'OrderDiscount',
      Type.Object({ code: Type.String(), name: Type.String(), amount: Money }),
    ),
  ),
  deliveryFee: Money,
  persons: Type.Integer({ minimum: 1 }),
  statusHistory: Type.Array(StatusChange),
};

/** Contains no personal data, because every caller with the id can read it. */
export const Order = Named('Order', Type.Object(whole));
export type Order = Static<typeof Order>;

export const OrderCancellation = Named(
  'OrderCancellation',
  Strict({ reason: Type.Optional(Nullable(Type.String({ maxLength: 200 }))) }),
);

const staffOrganization = {
  organizationId: Type.Unsafe<number>({
    ...Id,
    description: 'The number `id` of `GET /organizations`.',
  }),
  organizationErpId: Type.Unsafe<string>({
    ...Uuid,
    description: 'UUID of the restaurant at the ERP.',
  }),
  organizationName: Type.String(),
};

export type StaffOrganization = {
  organizationId: number;
  organizationErpId: string;
  organizationName: string;
};

export const StaffListedOrder = Named(
  'StaffListedOrder',
  Type.Object({
    ...listed,
    ...staffOrganization,
    customerId: NullableText,
    sendUntil: Nullable(Timestamp),
  }),
);

export type StaffListedOrder = Static<typeof StaffListedOrder>;

/** Shown only with permission to manage orders. */
const OrderPerson = Named(
  'OrderPerson',
  Type.Object({
    name: Type.String(),
    phone: Type.String(),
    phoneExtension: NullableText,
    address: NullableText,
    comment: NullableText,
    cancelReason: NullableText,
  }),
);

const StaffOrderGift = Named(
  'StaffOrderGift',
  Type.Object({
    ...OrderGift.properties,
    compensationId: Nullable(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'The right that the gift fulfills. Null for an order made elsewhere.',
      }),
    ),
  }),
);

const SentAgain = Named(
  'OrderSentAgain',
  Type.Object({
    at: Timestamp,
    by: Nullable(Author),
    reason: Nullable(
      Type.String({
        description: 'Null without the permission `orders.manage`, and after it was erased.',
      }),
    ),
  }),
);

export const StaffOrder = Named(
  'StaffOrder',
  Type.Object({
    ...whole,
    ...staffOrganization,
    gifts: Type.Array(StaffOrderGift),
    customerId: NullableText,
    sendUntil: Nullable(Timestamp),
    erpOrderId: Nullable(Uuid),
    erpError: Nullable(
      Type.String({ description: 'Error message of the ERP when it rejected the order.' }),
    ),
    erasedAt: Nullable(Timestamp),
    sentAgain: Type.Array(SentAgain, {
      description: 'Who sent the order again after it had failed, and why.',
    }),
    person: Nullable(
      Type.Unsafe<Static<typeof OrderPerson>>({
        ...OrderPerson,
        description:
          'Null without the permission `orders.manage`, and after the data of the guest was erased.',
      }),
    ),
  }),
);

export type StaffOrder = Static<typeof StaffOrder>;

export const StaffOrderSentAgain = Named(
  'StaffOrderSentAgain',
  Type.Object({
    ...StaffOrder.properties,
    giftsLeftOut: Type.Array(Uuid, {
      description:
        'Rights whose gifts the order comes without, because they could not be reserved again.',
    }),
  }),
);

export type StaffOrderSentAgain = Static<typeof StaffOrderSentAgain>;

export const OrderAttempt = Named(
  'OrderAttempt',
  Type.Object({
    id: Id,
    begunAt: Timestamp,
    endedAt: Nullable(Timestamp),
    outcome: Nullable(
      Type.Unsafe<AttemptOutcome>({
        ...Words(ATTEMPT_OUTCOMES),
        description:
          'TAKEN: the ERP has the order; DUPLICATE: it had it from an earlier call; REFUSED: it rejects the order; NOT_SENT: it did not ' +
          'process it; UNKNOWN: it may have it. Null without a recorded answer.',
      }),
    ),
    kind: Nullable(Type.String({ description: 'Kind of the failure.' })),
    code: Nullable(Type.String({ description: 'Code of the ERP for a rejected order.' })),
    httpStatus: Nullable(Type.Integer()),
    answer: Type.String({
      description: 'The answer in words, in the language of `Accept-Language`.',
    }),
  }),
);

export type OrderAttempt = Static<typeof OrderAttempt>;

const RuleVerdict = Named(
  'OrderRuleVerdict',
  Type.Object({
    code: Type.String(),
    kind: Words(['blocker', 'warning', 'adjustment']),
    input: Type.Unknown({ description: 'The facts that the rule uses.' }),
    findings: Type.Array(Type.Unknown()),
  }),
);

export const OrderDecision = Named(
  'OrderDecision',
  Type.Object({
    orderId: Uuid,
    decidedAt: Timestamp,
    rules: Type.Array(RuleVerdict, {
      description: 'The current rules applied to the stored facts, in their order.',
    }),
    decided: Type.Array(Type.Unknown(), { description: 'Findings when the order was placed.' }),
    sameToday: Type.Boolean({
      description: 'True if the current rules have the same findings for the stored facts.',
    }),
  }),
);

export type OrderDecision = Static<typeof OrderDecision>;

export const OrderReason = Named(
  'OrderReason',
  Strict({ reason: Type.String({ minLength: 1, maxLength: 500 }) }),
);

/** Reported by staff after they have checked the ERP. */
export const OrderGiftsOutcome = Named(
  'OrderGiftsOutcome',
  Strict({
    outcome: Words(['CREATED', 'NOT_CREATED']),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
  }),
);
