import { Author } from '../../access/schemas/author.ts';
import { Type, type Static } from 'typebox';
import { REWARD_FAULTS, REWARD_HEALTHS } from '../rules/checks.ts';
import { CLEARING_STATES, HELD_BY, type HeldBy } from '../rules/markers.ts';
import {
  COMPENSATION_MOVES,
  COMPENSATION_STATUSES,
  type CompensationMoveName,
} from '../rules/states.ts';
import {
  COMPENSATION_REASONS,
  COMPENSATION_SOURCES,
  type CompensationReason,
} from '../rules/words.ts';
import {
  Id,
  Named,
  Nullable,
  NullableText,
  OrganizationId,
  ReasonErased,
  Strict,
  Timestamp,
  Uuid,
  Version,
  Words,
} from '../../../kernel/pure/schemas.ts';

const Health = Named(
  'RewardHealth',
  Type.Object({
    state: Words(REWARD_HEALTHS),
    reasons: Type.Array(Words(REWARD_FAULTS)),
    checkedAt: Nullable(Timestamp),
  }),
);

const Code = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$' });
const Name = Type.String({ minLength: 1, maxLength: 200 });

const reward = {
  erpItemId: Uuid,
  erpItemSizeId: Nullable(
    Type.Unsafe<number>({
      ...Id,
      description: 'Our id of the item in one size; null is its first one.',
    }),
  ),
  imageId: Nullable(Id),
  categoryId: Nullable(
    Type.Unsafe<string>({
      ...Uuid,
      description: 'The category of clients at the ERP that stands for a right to the gift.',
    }),
  ),
  isActive: Type.Boolean(),
  defaultTermDays: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'Days until a right from a marker of the ERP expires; null for no expiry.',
    }),
  ),
  defaultReason: Type.Unsafe<CompensationReason>({
    ...Words(COMPENSATION_REASONS),
    description: 'Reason of rights that markers of the ERP give.',
  }),
};

export const Reward = Named(
  'Reward',
  Type.Object({
    id: Id,
    code: Type.String(),
    name: Type.String(),
    ...reward,
    organizationId: Type.Unsafe<number | null>({
      ...Nullable(Id),
      description: 'Null is the whole network.',
    }),
    organizationErpId: Type.Unsafe<string | null>({
      ...Nullable(Uuid),
      description: 'UUID of the restaurant at the ERP.',
    }),
    health: Health,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);

export type Reward = Static<typeof Reward>;

const optional = {
  erpItemSizeId: Type.Optional(reward.erpItemSizeId),
  organizationId: Type.Optional(Nullable(OrganizationId)),
  imageId: Type.Optional(reward.imageId),
  categoryId: Type.Optional(reward.categoryId),
  isActive: Type.Optional(reward.isActive),
  defaultTermDays: Type.Optional(reward.defaultTermDays),
  defaultReason: Type.Optional(reward.defaultReason),
};

export const NewReward = Named(
  'NewReward',
  Strict({ code: Code, name: Name, erpItemId: Uuid, ...optional }),
);

export type NewReward = Static<typeof NewReward>;

export const RewardEdit = Named(
  'RewardEdit',
  Strict({
    version: Version,
    name: Type.Optional(Name),
    erpItemId: Type.Optional(Uuid),
    ...optional,
  }),
);

export type RewardEdit = Static<typeof RewardEdit>;

export const CompensationStatus = Named('CompensationStatus', Words(COMPENSATION_STATUSES));

const compensation = {
  id: Uuid,
  clientId: Uuid,
  clientPhone: Type.Unsafe<string | null>({
    ...NullableText,
    description: 'Phone of the client with most of its digits hidden; null if unknown.',
  }),
  connectionId: Id,
  erpCustomerId: Nullable(Uuid),
  rewardId: Id,
  rewardCode: Type.String(),
  rewardName: Type.String(),
  quantity: Type.Integer({ minimum: 1 }),
  status: CompensationStatus,
  reason: Words(COMPENSATION_REASONS),
  reasonComment: Type.Unsafe<string | null>({
    ...NullableText,
    description: 'Reason from staff; null if there is none or it was erased.',
  }),
  reasonCommentErased: ReasonErased,
  source: Words(COMPENSATION_SOURCES),
  sourceMarker: NullableText,
  sourceOrderId: Nullable(Uuid),
  grantedBy: Words(['STAFF', 'ERP_OPERATOR', 'SYSTEM']),
  grantedByUser: Nullable(Author),
  grantedAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  reservedOrderId: Nullable(Uuid),
  reservedAt: Nullable(Timestamp),
  redeemedOrderId: Nullable(Uuid),
  redeemedAt: Nullable(Timestamp),
  version: Type.Integer(),
};

export const Compensation = Named('Compensation', Type.Object(compensation));
export type Compensation = Static<typeof Compensation>;

const MOVES = ['GRANT', ...(Object.keys(COMPENSATION_MOVES) as CompensationMoveName[])] as const;

const CompensationMove = Named(
  'CompensationMove',
  Type.Object({
    version: Type.Integer({
      description: 'Version of the right after the move; 0 is the promise.',
    }),
    move: Words(MOVES),
    before: Nullable(CompensationStatus),
    after: CompensationStatus,
    rewardId: Type.Unsafe<number>({ ...Id, description: 'Reward of the right after the move.' }),
    orderId: Nullable(Uuid),
    reason: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'Words of staff, or a code; null when the words were erased.',
    }),
    reasonErased: ReasonErased,
    user: Nullable(Author),
    actor: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'The process that moved it; null for a user.',
    }),
    at: Timestamp,
  }),
);

const GiftMarker = Named(
  'GiftMarker',
  Type.Object({
    state: Words(CLEARING_STATES),
    heldBy: Type.Unsafe<HeldBy | null>({
      ...Nullable(Words(Object.keys(HELD_BY) as HeldBy[])),
      description: 'Reason why it cannot be removed now. The removal is retried.',
    }),
    tries: Type.Integer(),
    waitsSince: Timestamp,
    triedAt: Nullable(Timestamp),
    clearedAt: Nullable(Timestamp),
    isAsWritten: Type.Unsafe<boolean | null>({
      ...Nullable(Type.Boolean()),
      description:
        'True if the comment was unchanged when it was read again after writing; null if nothing was written.',
    }),
  }),
);

export const CompensationWithMoves = Named(
  'CompensationWithMoves',
  Type.Object({
    ...compensation,
    moves: Type.Array(CompensationMove, { description: 'The ledger, oldest first.' }),
    marker: Type.Unsafe<Static<typeof GiftMarker> | null>({
      ...Nullable(GiftMarker),
      description: 'The marker of a redeemed right in the ERP; null if there is none.',
    }),
  }),
);

export type CompensationWithMoves = Static<typeof CompensationWithMoves>;

export const NewCompensation = Named(
  'NewCompensation',
  Strict({
    clientId: Type.Optional(Uuid),
    clientPhone: Type.Optional(
      Type.String({
        minLength: 10,
        maxLength: 30,
        description: 'A phone that the user has verified with the client.',
      }),
    ),
    connectionId: Type.Optional(
      Type.Unsafe<number>({
        ...Id,
        description:
          'Account of the ERP in which the client of `clientPhone` orders. Required when the reward is for the whole network and there are several.',
      }),
    ),
    rewardId: Id,
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    reason: Words(COMPENSATION_REASONS),
    reasonComment: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    sourceOrderId: Type.Optional(
      Nullable(Type.Unsafe<string>({ ...Uuid, description: 'Order that the gift makes up for.' })),
    ),
    expiresAt: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  }),
);

export type NewCompensation = Static<typeof NewCompensation>;

/** Absent fields are not changed. */
export const CompensationEdit = Named(
  'CompensationEdit',
  Strict({
    version: Type.Integer({
      minimum: 0,
      description: 'Version of the right that the caller has read.',
    }),
    reason: Words(COMPENSATION_REASONS),
    reasonComment: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    expiresAt: Type.Optional(
      Nullable(Type.String({ format: 'date-time', description: 'Null is no term.' })),
    ),
    sourceOrderId: Type.Optional(
      Nullable(Type.Unsafe<string>({ ...Uuid, description: 'Order that the gift makes up for.' })),
    ),
  }),
);

export type CompensationEdit = Static<typeof CompensationEdit>;

const reason = Type.Optional(
  Nullable(
    Type.String({
      maxLength: 500,
      description: 'Required; the ledger shows it until it is erased.',
    }),
  ),
);

export const CompensationReasonGiven = Named('CompensationReasonGiven', Strict({ reason }));
export type CompensationReasonGiven = Static<typeof CompensationReasonGiven>;

export const CompensationRebind = Named('CompensationRebind', Strict({ rewardId: Id, reason }));
export type CompensationRebind = Static<typeof CompensationRebind>;
