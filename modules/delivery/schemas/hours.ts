import { Type, type Static } from 'typebox';
import { CHANNELS, EXCEPTION_KINDS } from '../rules/schedule.ts';
import { FULFILLMENT_TYPES, type FulfillmentType } from '../rules/status.ts';
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

export const FirstVersion = Type.Integer({
  minimum: 0,
  description: 'Version that the caller has read; 0 before the first edit.',
});

const StoredVersion = Type.Integer({ minimum: 0, description: '0 before the first edit.' });

const minutes = (description: string, least = 0, most = 1_440) =>
  Type.Integer({ minimum: least, maximum: most, description });

const switches = {
  deliveryEnabled: Type.Boolean({
    description: 'True if orders for delivery are accepted at all.',
  }),
  pickupEnabled: Type.Boolean({ description: 'True if orders for pickup are accepted at all.' }),
  timedOrdersEnabled: Type.Boolean({ description: 'True if guests may order for a later time.' }),
};

const timing = {
  deliverySlotStepMinutes: minutes('Minutes between two slots of delivery.', 5, 240),
  pickupSlotStepMinutes: minutes('Minutes between two slots of pickup.', 5, 240),
  horizonDays: Type.Integer({
    minimum: 1,
    maximum: 14,
    description: 'Days with slots; 2 are today and tomorrow.',
  }),
  deliveryOpenDelayMinutes: minutes('Minutes from the opening of delivery to its first slot.'),
  deliveryCloseDelayMinutes: minutes(
    'Minutes before the closing of delivery in which no order is taken.',
  ),
  restaurantOpenDelayMinutes: minutes(
    'Minutes from the opening of the restaurant to the first slot of pickup.',
  ),
  restaurantCloseDelayMinutes: minutes(
    'Minutes before the closing of the restaurant without a slot of pickup.',
  ),
  pickupCookingMinutes: Nullable(
    minutes(
      'Minutes from an order for pickup until it is ready; null is the self-service duration of the ERP.',
    ),
  ),
  deliveryMinutes: minutes(
    'Minutes from an order to the door, unless the delivery zone has its own value.',
  ),
};

const texts = {
  timeZone: Nullable(
    Type.String({
      maxLength: 100,
      description: 'IANA name or an offset such as `+03:00`; null is the zone of the ERP.',
    }),
  ),
  code: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 50,
      description: 'Short name of the organization for staff.',
    }),
  ),
  city: Nullable(
    Type.String({ minLength: 1, maxLength: 100, description: 'City that guests are shown.' }),
  ),
  phone: Nullable(
    Type.String({ maxLength: 30, description: 'Telephone of the restaurant, for staff.' }),
  ),
};

export const OrderingConfig = Named(
  'OrderingConfig',
  Type.Object({
    organizationId: Id,
    ...switches,
    ...texts,
    effectiveTimeZone: Type.String({
      description: 'The zone that counts: the own one, else that of the ERP or of the product.',
    }),
    ...timing,
    effectivePickupCookingMinutes: Type.Integer({
      description:
        'The minutes that count: the own ones, else the self-service duration of the ERP, else 20.',
    }),
    updatedAt: Nullable(Timestamp),
    version: StoredVersion,
  }),
);

export type OrderingConfig = Static<typeof OrderingConfig>;

export const OrderingConfigEdit = Named(
  'OrderingConfigEdit',
  Strict({
    version: FirstVersion,
    ...Type.Partial(Type.Object({ ...switches, ...texts, ...timing })).properties,
  }),
);

export type OrderingConfigEdit = Static<typeof OrderingConfigEdit>;

const Clock = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'Wall clock, `HH:MM`.',
});

const window = {
  opensAt: Clock,
  closesAt: Clock,
  crossesMidnight: Type.Boolean({ description: 'True when it closes on the next day.' }),
};

const DayWindow = Named('DayWindow', Strict(window));

const RegularWindow = Named(
  'RegularWindow',
  Strict({
    dayOfWeek: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday.' }),
    channel: Words(CHANNELS),
    ...window,
  }),
);

export const OrderingSchedule = Named(
  'OrderingSchedule',
  Type.Object({
    organizationId: Id,
    windows: Type.Array(RegularWindow),
    updatedAt: Nullable(Timestamp),
    version: StoredVersion,
  }),
);

export type OrderingSchedule = Static<typeof OrderingSchedule>;

export const OrderingScheduleEdit = Named(
  'OrderingScheduleEdit',
  Strict({ version: FirstVersion, windows: Type.Array(RegularWindow, { maxItems: 200 }) }),
);

export type OrderingScheduleEdit = Static<typeof OrderingScheduleEdit>;

const LocalDate = Type.String({
  format: 'date',
  pattern: '^20',
  description: 'Date of the organization, for CLOSED and SPECIAL_HOURS.',
});

const Reason = Nullable(Type.String({ maxLength: 500, description: 'For staff.' }));
const FROM = 'Moment from which intake is stopped, for INTAKE_STOPPED.';
const TO = 'Moment at which intake continues; null if unknown.';

export const ScheduleException = Named(
  'ScheduleException',
  Type.Object({
    id: Id,
    organizationId: Id,
    kind: Words(EXCEPTION_KINDS),
    channel: Nullable(Words(CHANNELS)),
    date: Nullable(LocalDate),
    windows: Type.Array(DayWindow),
    from: Nullable(Timestamp),
    to: Nullable(Timestamp),
    reason: NullableText,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);

export type ScheduleException = Static<typeof ScheduleException>;

const Moment = (description: string) => Nullable(Type.String({ format: 'date-time', description }));

const exception = {
  channel: Nullable(Words(CHANNELS)),
  date: Nullable(LocalDate),
  windows: Type.Array(DayWindow, { maxItems: 20 }),
  from: Moment(FROM),
  to: Moment(TO),
  reason: Reason,
};

export const NewScheduleException = Named(
  'NewScheduleException',
  Strict({ kind: Words(EXCEPTION_KINDS), ...Type.Partial(Type.Object(exception)).properties }),
);

export type NewScheduleException = Static<typeof NewScheduleException>;

const Mode = Type.Unsafe<'PLAN' | 'APPLY'>({
  ...Words(['PLAN', 'APPLY']),
  description: 'PLAN writes nothing and returns what APPLY would change.',
});

export const NewScheduleExceptions = Named(
  'NewScheduleExceptions',
  Strict({
    organizationIds: Type.Array(OrganizationId, {
      minItems: 1,
      maxItems: 1_000,
      uniqueItems: true,
    }),
    mode: Mode,
    ...NewScheduleException.properties,
  }),
);

export type NewScheduleExceptions = Static<typeof NewScheduleExceptions>;

export const ScheduleExceptionsResult = Named(
  'ScheduleExceptionsResult',
  Type.Object({
    mode: Words(['PLAN', 'APPLY']),
    organizations: Type.Array(
      Type.Object({
        organizationId: Id,
        outcome: Type.Unsafe<'CREATE' | 'EQUAL' | 'DIFFERENT'>({
          ...Words(['CREATE', 'EQUAL', 'DIFFERENT']),
          description:
            'CREATE makes the exception. EQUAL and DIFFERENT leave one that the organization has for the same time.',
        }),
        exceptionId: Type.Unsafe<number | null>({
          ...Nullable(Id),
          description: 'Null if PLAN would create it.',
        }),
      }),
    ),
  }),
);

export type ScheduleExceptionsResult = Static<typeof ScheduleExceptionsResult>;

export const ScheduleExceptionEdit = Named(
  'ScheduleExceptionEdit',
  Strict({ version: Version, ...Type.Partial(Type.Object(exception)).properties }),
);

export type ScheduleExceptionEdit = Static<typeof ScheduleExceptionEdit>;

/** Time zone, code, city and phone are never copied. */
export const ORDERING_PARTS = ['CONFIG', 'SCHEDULE', 'EXCEPTIONS', 'PAYMENT_METHODS'] as const;
export type OrderingPart = (typeof ORDERING_PARTS)[number];

export const OrderingCopyRequest = Named(
  'OrderingCopyRequest',
  Strict({
    fromOrganizationId: OrganizationId,
    parts: Type.Array(Words(ORDERING_PARTS), { minItems: 1, maxItems: 10, uniqueItems: true }),
    mode: Mode,
  }),
);

export type OrderingCopyRequest = Static<typeof OrderingCopyRequest>;

const AnyValue = Type.Unsafe<unknown>({
  description: 'The value of the field; null if there is none.',
});

export const OrderingCopy = Named(
  'OrderingCopy',
  Type.Object({
    organizationId: Id,
    fromOrganizationId: Id,
    mode: Words(['PLAN', 'APPLY']),
    changes: Type.Array(
      Type.Object({
        part: Words(ORDERING_PARTS),
        field: Type.String({
          description: 'Name of a setting, `windows`, date and channel, or a way to pay.',
        }),
        before: AnyValue,
        after: AnyValue,
      }),
    ),
  }),
);

export type OrderingCopy = Static<typeof OrderingCopy>;

export const OrderingCopyToMany = Named(
  'OrderingCopyToMany',
  Strict({
    toOrganizationIds: Type.Array(OrganizationId, {
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
    }),
    parts: OrderingCopyRequest.properties.parts,
    mode: Mode,
  }),
);

export type OrderingCopyToMany = Static<typeof OrderingCopyToMany>;

export const OrderingCopies = Named(
  'OrderingCopies',
  Type.Object({ copies: Type.Array(OrderingCopy) }),
);

export type OrderingCopies = Static<typeof OrderingCopies>;

const LocalMoment = Type.String({ format: 'date-time' });

const Acceptance = Named(
  'Acceptance',
  Type.Object({
    accepting: Type.Boolean({
      description: 'True if an order for as soon as possible is accepted now.',
    }),
    reason: Nullable(Codes('NotAcceptingReason')),
    opensAt: Nullable(LocalMoment),
    closesAt: Nullable(LocalMoment),
  }),
);

const ScheduleLine = Named(
  'ScheduleLine',
  Type.Object({ days: Type.String(), delivery: Type.String(), pickup: Type.String() }),
);

export const OrderingStatus = Named(
  'OrderingStatus',
  Type.Object({
    serverTime: LocalMoment,
    open: Type.Boolean({
      description: 'True if the restaurant is open, independent of order intake.',
    }),
    delivery: Acceptance,
    pickup: Acceptance,
    closingInMinutes: Nullable(
      Type.Integer({ description: 'Whole minutes until the restaurant closes.' }),
    ),
    reasons: Type.Array(Codes('NotAcceptingReason'), {
      description: 'Why delivery or pickup is not accepted, each once.',
    }),
    nextChangeAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Moment of the next change of these values.',
      }),
    ),
    schedule: Type.Array(ScheduleLine, { description: 'The regular hours, ready to be shown.' }),
  }),
);

export type OrderingStatus = Static<typeof OrderingStatus>;

const Intake = Type.Object({
  enabled: Type.Boolean({ description: 'True if the organization accepts such orders at all.' }),
  accepting: Type.Boolean({ description: 'True if it accepts one for as soon as possible now.' }),
});

export const Coordinates = Named(
  'Coordinates',
  Type.Object({ latitude: Type.Number(), longitude: Type.Number() }),
);

/** `id` is the ERP id. */
export const Organization = Named(
  'Organization',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    address: NullableText,
    coordinates: Nullable(Coordinates),
    pickup: Intake,
    delivery: Intake,
    schedule: Type.Array(ScheduleLine, { description: 'The regular hours, ready to be shown.' }),
    distanceMeters: Type.Optional(
      Type.Unsafe<number | null>({
        ...Nullable(Type.Integer({ minimum: 0 })),
        description:
          'Meters from `lat` and `lon` as the crow flies; null without coordinates. Only if a point was sent.',
      }),
    ),
  }),
);

export type Organization = Static<typeof Organization>;

const Slot = Named(
  'Slot',
  Type.Object({
    id: Type.String({
      description: 'Start and duration, for example `2026-11-21T18:30+03:00/PT30M`.',
    }),
    from: Type.String({ description: 'Wall clock, `HH:MM`.' }),
    to: Type.String(),
    offset: Type.Optional(
      Type.String({
        description:
          'Only in an hour that repeats when clocks are set back: tells its two slots apart.',
      }),
    ),
  }),
);

export const DeliverySlots = Named(
  'DeliverySlots',
  Type.Object({
    asap: Type.Object({
      available: Type.Boolean(),
      etaMinutes: Type.Integer(),
      etaRange: Type.Array(Type.Integer(), {
        minItems: 2,
        maxItems: 2,
        description: 'From and to, in minutes.',
      }),
    }),
    timedOrdersEnabled: Type.Boolean(),
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date' }),
        label: Type.String({ description: 'For example `Today`, in the language of guests.' }),
        slots: Type.Array(Slot),
      }),
    ),
  }),
);

export type DeliverySlots = Static<typeof DeliverySlots>;

/** JSON-LD of schema.org. */
export const StructuredData = Named(
  'StructuredData',
  Type.Object({}, { additionalProperties: true }),
);

export const FulfillmentTypeWord = Type.Unsafe<FulfillmentType>({
  ...Words(FULFILLMENT_TYPES),
  description: 'DELIVERY brings the order, PICKUP hands it out.',
});
