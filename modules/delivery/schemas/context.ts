import { Type, type Static, type TProperties } from 'typebox';
import { NOTICE_VALUES } from '../rules/notice-template.ts';
import { PAYMENT_CODES } from '../rules/payment-methods.ts';
import { FULFILLMENT_TYPES } from '../rules/status.ts';
import { Coordinates, OrderingStatus } from './hours.ts';
import { listCodes } from '../../../kernel/pure/codes.ts';
import {
  Codes,
  Id,
  Named,
  Nullable,
  NullableText,
  OrganizationId,
  Strict,
  Timestamp,
  Uuid,
  Version,
  Words,
} from '../../../kernel/pure/schemas.ts';

const edited = { createdAt: Timestamp, updatedAt: Timestamp, version: Type.Integer() };
const optional = <P extends TProperties>(fields: P) => Type.Partial(Type.Object(fields)).properties;
const Moment = Nullable(Type.String({ format: 'date-time' }));
const OfOrganization = Type.Union([OrganizationId, Type.Null()], {
  description: 'Null is for all organizations.',
});

const expectation = {
  scope: Words(listCodes('EtaScope')),
  durationMinutes: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    description: 'Additional minutes of an order.',
  }),
};

const ofExpectation = {
  categoryId: Nullable(
    Type.Integer({ minimum: 1, description: 'Category of the dishes, for CATEGORY.' }),
  ),
  organizationId: OfOrganization,
  activeFrom: Moment,
  activeTo: Moment,
};

export const ExpectationRule = Named(
  'ExpectationRule',
  Type.Object({
    id: Id,
    ...expectation,
    categoryId: Nullable(Id),
    organizationId: Nullable(Id),
    activeFrom: Nullable(Timestamp),
    activeTo: Nullable(Timestamp),
    ...edited,
  }),
);

export type ExpectationRule = Static<typeof ExpectationRule>;

export const NewExpectationRule = Named(
  'NewExpectationRule',
  Strict({ ...expectation, ...optional(ofExpectation) }),
);

export type NewExpectationRule = Static<typeof NewExpectationRule>;

export const ExpectationRuleEdit = Named(
  'ExpectationRuleEdit',
  Strict({
    version: Version,
    ...optional({ durationMinutes: expectation.durationMinutes, ...ofExpectation }),
  }),
);

export type ExpectationRuleEdit = Static<typeof ExpectationRuleEdit>;

const NAMES = Object.keys(NOTICE_VALUES)
  .map((name) => `\`{${name}}\``)
  .join(', ');

const template = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    description: `May name ${NAMES}; while one of them is unknown, the notice is hidden.`,
  });

const notice = {
  severity: Words(listCodes('NoticeSeverity')),
  title: template(200),
  text: template(2_000),
  ttlSeconds: Type.Integer({
    minimum: 1,
    maximum: 31_536_000,
    description: 'Time until the notice is shown to the same guest again.',
  }),
};

const ofNotice = {
  isActive: Type.Boolean(),
  organizationId: OfOrganization,
  activeFrom: Moment,
  activeTo: Moment,
  position: Type.Integer({ minimum: 0, maximum: 100_000 }),
};

const NoticeCode = Type.String({
  pattern: '^[A-Z][A-Z0-9_]{1,49}$',
  description: 'Stable name, for example `HIGH_DEMAND`.',
});

/** Title and text are templates. */
export const GuestNotice = Named(
  'GuestNotice',
  Type.Object({
    id: Id,
    code: Type.String(),
    severity: notice.severity,
    title: Type.String(),
    text: Type.String(),
    ttlSeconds: notice.ttlSeconds,
    isActive: Type.Boolean(),
    organizationId: Nullable(Id),
    activeFrom: Nullable(Timestamp),
    activeTo: Nullable(Timestamp),
    position: Type.Integer(),
    ...edited,
  }),
);

export type GuestNotice = Static<typeof GuestNotice>;

export const NewGuestNotice = Named(
  'NewGuestNotice',
  Strict({ code: NoticeCode, ...notice, ...optional(ofNotice) }),
);

export type NewGuestNotice = Static<typeof NewGuestNotice>;

export const GuestNoticeEdit = Named(
  'GuestNoticeEdit',
  Strict({ version: Version, ...optional({ ...notice, ...ofNotice }) }),
);

export type GuestNoticeEdit = Static<typeof GuestNoticeEdit>;

const FulfillmentTypes = Type.Array(Words(FULFILLMENT_TYPES), { maxItems: 2, uniqueItems: true });
const Availability = Type.Object({ organizationId: Id, fulfillmentTypes: FulfillmentTypes });

const flags = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  isEnabled: Type.Boolean(),
  allowsLeaveAtDoor: Type.Boolean(),
  requiresChange: Type.Boolean({
    description: 'True if guests enter the banknote that they pay with.',
  }),
  sortOrder: Type.Integer({ minimum: 0, maximum: 1_000 }),
};

const byCode = {
  isCash: Type.Boolean(),
  isOnline: Type.Boolean(),
};

export const PaymentMethod = Named(
  'PaymentMethod',
  Type.Object({
    code: Named('PaymentCode', Words(PAYMENT_CODES)),
    ...flags,
    ...byCode,
    needsPaymentPort: Type.Boolean({
      description: 'While no payment port is configured, guests are not offered it.',
    }),
    availability: Type.Array(Availability),
    missingAt: Type.Array(Id, {
      description:
        'Organizations of `availability` that it is not offered at, because their orders have nothing to name for it at the ERP: ' +
        'choose it with `PATCH /connections/{id}/order-sending`.',
    }),
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);

export type PaymentMethod = Static<typeof PaymentMethod>;

export const PaymentMethodEdit = Named(
  'PaymentMethodEdit',
  Strict({
    version: Version,
    ...optional({
      ...flags,
      availability: Type.Array(
        Strict({ organizationId: OrganizationId, fulfillmentTypes: FulfillmentTypes }),
        {
          maxItems: 5_000,
        },
      ),
    }),
  }),
);

export type PaymentMethodEdit = Static<typeof PaymentMethodEdit>;

const Eta = Type.Object({
  minutes: Type.Integer(),
  range: Type.Array(Type.Integer(), {
    minItems: 2,
    maxItems: 2,
    description: 'From and to, in minutes.',
  }),
});

export const StorefrontContext = Named(
  'StorefrontContext',
  Type.Object({
    city: Type.Object({ name: NullableText }),
    organization: Type.Object({
      id: Uuid,
      name: Type.String(),
      address: NullableText,
      coordinates: Nullable(Coordinates),
      timeZone: Type.String(),
    }),
    serverTime: Type.String({ format: 'date-time' }),
    status: OrderingStatus,
    eta: Type.Object({ delivery: Eta, pickup: Eta }),
    paymentMethods: Type.Array(
      Type.Object({
        code: Codes('PaymentMethodCode'),
        name: Type.String(),
        ...byCode,
        allowsLeaveAtDoor: Type.Boolean(),
        requiresChange: Type.Boolean(),
        fulfillmentTypes: Type.Array(Codes('FulfillmentType')),
      }),
    ),
    notices: Type.Array(
      Type.Object({
        code: Type.String(),
        severity: Codes('NoticeSeverity'),
        title: Type.String(),
        text: Type.String(),
        ttlSeconds: Type.Integer(),
      }),
    ),
  }),
);

export type StorefrontContext = Static<typeof StorefrontContext>;

export const OrganizationPayments = Named(
  'OrganizationPayments',
  Type.Object({
    organizationId: Id,
    methods: Type.Array(
      Type.Object({
        code: Words(PAYMENT_CODES),
        name: Type.String(),
        isEnabled: Type.Boolean({ description: 'False if no restaurant offers it.' }),
        fulfillmentTypes: Type.Array(Words(FULFILLMENT_TYPES), {
          description: 'Empty if it is not offered here.',
        }),
      }),
    ),
    version: Type.Integer({ description: 'Rises with each change of a way to pay.' }),
  }),
);

export type OrganizationPayments = Static<typeof OrganizationPayments>;

export const OrganizationPaymentsEdit = Named(
  'OrganizationPaymentsEdit',
  Strict({
    version: Version,
    methods: Type.Array(
      Strict({ code: Words(PAYMENT_CODES), fulfillmentTypes: FulfillmentTypes }),
      {
        minItems: 1,
        maxItems: PAYMENT_CODES.length,
      },
    ),
  }),
);

export type OrganizationPaymentsEdit = Static<typeof OrganizationPaymentsEdit>;
