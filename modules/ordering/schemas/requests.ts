import { Type, type Static } from 'typebox';
import {
  Count,
  Id,
  Money,
  Named,
  Nullable,
  NullableText,
  OrganizationId,
  Page,
  Strict,
  Timestamp,
  Uuid,
  Version,
  Words,
} from '../../../kernel/pure/schemas.ts';

const edited = { createdAt: Timestamp, updatedAt: Timestamp, version: Type.Integer() };
const Code = Type.String({ minLength: 1, maxLength: 50, pattern: '^[\\p{L}\\p{M}\\p{N}_-]+$' });
const Name = Type.String({ minLength: 1, maxLength: 200 });

const Role = Type.String({
  pattern: '^[A-Z][A-Z0-9_]{0,49}$',
  description:
    'LEAVE_AT_DOOR, FREE_SOY, PAID_SOY, FREE_WASABI, PAID_WASABI, CUTLERY, SUGAR, DELIVERY_FEE (the item with which an order ' +
    'names its delivery fee to the ERP, where the price of the item is the fee; guests cannot buy it) or a role of your own.',
});

const Rubles = Type.Number({
  minimum: 0,
  maximum: 10_000_000,
  description: 'Rubles with at most two decimals.',
});

const TimeOfDay = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'On the clock of the organization.',
});

const Weekday = Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday.' });
const TYPES = ['DELIVERY', 'PICKUP'] as const;

const conditions = {
  startsAt: Nullable(Timestamp),
  endsAt: Nullable(Timestamp),
  weekdays: Nullable(Type.Array(Weekday, { minItems: 1, maxItems: 7 })),
  fromTime: Nullable(TimeOfDay),
  toTime: Nullable(TimeOfDay),
  organizationIds: Nullable(Type.Array(Id)),
  fulfillmentTypes: Nullable(Type.Array(Words(TYPES), { minItems: 1, maxItems: 2 })),
  totalUses: Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
};

const flags = {
  oncePerCustomer: Type.Boolean(),
  firstOrderOnly: Type.Boolean({ description: 'For customers who have not ordered before.' }),
  isCombinable: Type.Boolean({ description: 'May be applied together with others that may.' }),
  needsPromocode: Type.Boolean(),
  isActive: Type.Boolean(),
};

const uses = {
  uses: Type.Integer({
    minimum: 0,
    description: 'Orders that use the discount, without failed and withdrawn ones.',
  }),
  usesLeft: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'Further orders that may use it. Null without a limit.',
    }),
  ),
};

/** Set by the API for callers who are limited to restaurants (rule ACC-64). */
const OtherOrganizations = Type.Integer({
  minimum: 0,
  description:
    'Other organizations that `organizationIds` leaves out, because your access is limited. Only staff of the whole chain may change the object then.',
});

export const Discount = Named(
  'Discount',
  Type.Object({
    id: Id,
    code: Type.String(),
    name: Type.String(),
    percent: Nullable(Type.Integer()),
    amount: Nullable(Money),
    minSubtotal: Money,
    ...conditions,
    otherOrganizations: OtherOrganizations,
    ...flags,
    ...uses,
    ...edited,
  }),
);

export type Discount = Static<typeof Discount>;

const Moment = Type.String({ format: 'date-time' });

const values = {
  percent: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100 }))),
  amount: Type.Optional(Nullable(Type.Unsafe<number>({ ...Rubles, minimum: 0.01 }))),
  minSubtotal: Type.Optional(Rubles),
  startsAt: Type.Optional(Nullable(Moment)),
  endsAt: Type.Optional(Nullable(Moment)),
  weekdays: Type.Optional(conditions.weekdays),
  fromTime: Type.Optional(conditions.fromTime),
  toTime: Type.Optional(conditions.toTime),
  organizationIds: Type.Optional(
    Nullable(Type.Array(OrganizationId, { minItems: 1, maxItems: 1_000 })),
  ),
  fulfillmentTypes: Type.Optional(conditions.fulfillmentTypes),
  totalUses: Type.Optional(conditions.totalUses),
  oncePerCustomer: Type.Optional(flags.oncePerCustomer),
  firstOrderOnly: Type.Optional(flags.firstOrderOnly),
  isCombinable: Type.Optional(flags.isCombinable),
  needsPromocode: Type.Optional(flags.needsPromocode),
  isActive: Type.Optional(flags.isActive),
};

export const NewDiscount = Named('NewDiscount', Strict({ code: Code, name: Name, ...values }));
export type NewDiscount = Static<typeof NewDiscount>;

export const DiscountEdit = Named(
  'DiscountEdit',
  Strict({ version: Version, name: Type.Optional(Name), ...values }),
);

export type DiscountEdit = Static<typeof DiscountEdit>;

const CustomerId = Nullable(
  Type.String({ minLength: 1, maxLength: 100, description: 'Null for all customers.' }),
);

export const Promocode = Named(
  'Promocode',
  Type.Object({
    id: Id,
    code: Type.String(),
    discountId: Id,
    customerId: NullableText,
    isActive: Type.Boolean(),
    uses: Type.Unsafe<number>({
      ...uses.uses,
      description:
        'Orders that use the discount by any of its codes: its limit counts them together.',
    }),
    usesLeft: uses.usesLeft,
    ...edited,
  }),
);

export type Promocode = Static<typeof Promocode>;

export const NewPromocode = Named(
  'NewPromocode',
  Strict({
    code: Code,
    discountId: Id,
    customerId: Type.Optional(CustomerId),
    isActive: Type.Optional(Type.Boolean()),
  }),
);

export type NewPromocode = Static<typeof NewPromocode>;

const MOST_CODES = 10_000;

export const PromocodeBulk = Named(
  'PromocodeBulk',
  Strict({
    discountId: Id,
    codes: Type.Optional(Type.Array(Code, { minItems: 1, maxItems: MOST_CODES })),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_CODES, description: 'Number of random codes.' }),
    ),
    prefix: Type.Optional(
      Type.Unsafe<string>({ ...Code, maxLength: 20, description: 'Beginning of random codes.' }),
    ),
    length: Type.Optional(
      Type.Integer({
        minimum: 6,
        maximum: 20,
        description: 'Random letters and digits of a code; 8 if absent.',
      }),
    ),
    isActive: Type.Optional(Type.Boolean()),
    dryRun: Type.Optional(
      Type.Boolean({ description: 'Creates nothing. Random codes are drawn again later.' }),
    ),
  }),
);

export type PromocodeBulk = Static<typeof PromocodeBulk>;

export const PromocodeBulkResult = Named(
  'PromocodeBulkResult',
  Type.Object({
    created: Type.Array(
      Named(
        'CreatedPromocode',
        Type.Object({
          id: Nullable(Type.Unsafe<number>({ ...Id, description: 'Null in a dry run.' })),
          code: Type.String(),
        }),
      ),
    ),
    failed: Type.Array(
      Named(
        'FailedPromocode',
        Type.Object({
          row: Type.Integer({ minimum: 0, description: 'Position in `codes`.' }),
          code: Type.String(),
          reason: Type.Unsafe<'DUPLICATE' | 'REPEATED' | 'INVALID'>({
            ...Words(['DUPLICATE', 'REPEATED', 'INVALID']),
            description:
              'DUPLICATE: the code exists. REPEATED: an earlier row has it. INVALID: it is empty, too long or cannot be read.',
          }),
        }),
      ),
    ),
  }),
);

export type PromocodeBulkResult = Static<typeof PromocodeBulkResult>;

export const PromocodeEdit = Named(
  'PromocodeEdit',
  Strict({
    version: Version,
    discountId: Type.Optional(Id),
    customerId: Type.Optional(CustomerId),
    isActive: Type.Optional(Type.Boolean()),
  }),
);

export type PromocodeEdit = Static<typeof PromocodeEdit>;

const everyPersons = Type.Integer({ minimum: 1, maximum: 1_000 });
const freeUnits = Type.Integer({ minimum: 0, maximum: 1_000 });
const isHidden = Type.Boolean({
  description: 'The item is neither shown in the cart nor counted.',
});

export const CompositionRule = Named(
  'CompositionRule',
  Type.Object({ id: Id, role: Type.String(), everyPersons, freeUnits, isHidden, ...edited }),
);

export type CompositionRule = Static<typeof CompositionRule>;

export const NewCompositionRule = Named(
  'NewCompositionRule',
  Strict({ role: Role, everyPersons, freeUnits, isHidden: Type.Optional(isHidden) }),
);

export type NewCompositionRule = Static<typeof NewCompositionRule>;

export const CompositionRuleEdit = Named(
  'CompositionRuleEdit',
  Strict({
    version: Version,
    everyPersons: Type.Optional(everyPersons),
    freeUnits: Type.Optional(freeUnits),
    isHidden: Type.Optional(isHidden),
  }),
);

export type CompositionRuleEdit = Static<typeof CompositionRuleEdit>;

export const ServiceRole = Named(
  'ServiceRole',
  Type.Object({
    role: Type.String(),
    erpItemId: Nullable(Uuid),
    variantId: Nullable(Id),
    name: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'Name of the item; null while the ERP has no such item.',
    }),
  }),
);

export type ServiceRole = Static<typeof ServiceRole>;

export const ServiceRoles = Named(
  'ServiceRoles',
  Type.Object({
    ...Page(ServiceRole).properties,
    version: Type.Integer({
      description: 'Version of all roles together; 0 if none was assigned.',
    }),
  }),
);

export type ServiceRoles = Static<typeof ServiceRoles>;

export const ServiceRolesEdit = Named(
  'ServiceRolesEdit',
  Strict({
    version: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Version that the caller has read' }),
    ),
    items: Type.Array(
      Named(
        'ServiceRoleOfItem',
        Strict({ role: Role, erpItemId: Type.Optional(Uuid), variantId: Type.Optional(Id) }),
      ),
      { maxItems: 100 },
    ),
  }),
);

export type ServiceRolesEdit = Static<typeof ServiceRolesEdit>;

export const CompositionQuestion = Named(
  'CompositionQuestion',
  Strict({
    lines: Type.Array(
      Strict({ variantId: Id, quantity: Type.Integer({ minimum: 1, maximum: 99 }) }),
      {
        maxItems: 100,
      },
    ),
    leaveAtDoor: Type.Optional(Type.Boolean()),
    cutlery: Type.Optional(Count),
    sugar: Type.Optional(Count),
  }),
);

export type CompositionQuestion = Static<typeof CompositionQuestion>;

export const CompositionAnswer = Named(
  'CompositionAnswer',
  Type.Object({
    persons: Type.Integer({ minimum: 1 }),
    units: Type.Array(
      Type.Object({ role: Type.String(), quantity: Count, isHidden: Type.Boolean() }),
    ),
    freeUnits: Type.Array(Type.Object({ variantId: Id, quantity: Count }), {
      description: 'Units of lines that cost nothing.',
    }),
  }),
);

export type CompositionAnswer = Static<typeof CompositionAnswer>;
