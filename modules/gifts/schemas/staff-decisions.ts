import { Author } from '../../access/schemas/author.ts';
import { Type, type Static } from 'typebox';
import {
  CANDIDATE_STATUSES,
  COMPENSATION_REASONS,
  CONFLICT_DECISIONS,
  CONFLICT_KINDS,
  CONFLICT_STATUSES,
  UNAUTHORIZED_KINDS,
  UNAUTHORIZED_STATUSES,
} from '../rules/words.ts';
import {
  Count,
  Id,
  Named,
  Nullable,
  NullableText,
  ReasonErased,
  Strict,
  Timestamp,
  Uuid,
  Words,
} from '../../../kernel/pure/schemas.ts';

const Reward = Type.Object({ id: Id, code: Type.String(), name: Type.String() });

/** Null before the decision. */
const DECISION = { reason: NullableText, reasonErased: ReasonErased };
const CLOSING = { closedAt: Nullable(Timestamp), closedBy: Nullable(Author) };

export const CompensationCandidate = Named(
  'CompensationCandidate',
  Type.Object({
    id: Id,
    status: Words(CANDIDATE_STATUSES),
    clientId: Uuid,
    connectionId: Id,
    erpCustomerId: Nullable(Uuid),
    phrase: Type.String({
      description: 'The phrase that was looked for, as phrases are compared.',
    }),
    text: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'The phrase with a little of the comment around it; null after the decision.',
    }),
    isPresent: Type.Boolean({
      description: 'True if the comment contained it when the card was last read.',
    }),
    suggestedReward: Type.Unsafe<{ id: number; code: string; name: string } | null>({
      ...Nullable(Reward),
      description: 'The only active reward with its name in the comment; null for none or several.',
    }),
    compensationId: Type.Unsafe<string | null>({
      ...Nullable(Uuid),
      description: 'The granted right.',
    }),
    ...DECISION,
    foundAt: Timestamp,
    seenAt: Timestamp,
    ...CLOSING,
  }),
);

export type CompensationCandidate = Static<typeof CompensationCandidate>;

export const CandidateConfirmation = Named(
  'CandidateConfirmation',
  Strict({
    rewardId: Id,
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    reason: Words(COMPENSATION_REASONS),
    reasonComment: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Why the client gets it. The text of the comment is not kept.',
    }),
    expiresAt: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  }),
);

export type CandidateConfirmation = Static<typeof CandidateConfirmation>;

export const CandidateDismissal = Named(
  'CandidateDismissal',
  Strict({ reason: Type.String({ minLength: 1, maxLength: 500 }) }),
);

export type CandidateDismissal = Static<typeof CandidateDismissal>;

export const CompensationConflict = Named(
  'CompensationConflict',
  Type.Object({
    id: Id,
    kind: Type.Unsafe<(typeof CONFLICT_KINDS)[number]>({
      ...Words(CONFLICT_KINDS),
      description:
        'SECOND_RIGHT: a promise to a client who has a gift already, or one of several that were found together; ' +
        'REMOVED_BY_HAND: the promise of an unused gift was removed in the external system.',
    }),
    status: Type.Unsafe<(typeof CONFLICT_STATUSES)[number]>({
      ...Words(CONFLICT_STATUSES),
      description: 'WITHDRAWN: the conflict has disappeared in the external system.',
    }),
    source: Words(['ERP_CATEGORY', 'ERP_COMMENT']),
    clientId: Uuid,
    reward: Reward,
    compensationId: Nullable(Uuid),
    ...DECISION,
    foundAt: Timestamp,
    ...CLOSING,
  }),
);

export type CompensationConflict = Static<typeof CompensationConflict>;

/**
 * GRANT: the client gets or keeps the gift. IGNORE: the promise gives nothing, and a right without
 * its marker is canceled.
 */
export const ConflictDecision = Named(
  'ConflictDecision',
  Strict({
    decision: Words(CONFLICT_DECISIONS),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
  }),
);

export type ConflictDecision = Static<typeof ConflictDecision>;

export const UnauthorizedGift = Named(
  'UnauthorizedGift',
  Type.Object({
    id: Id,
    kind: Type.Unsafe<(typeof UNAUTHORIZED_KINDS)[number]>({
      ...Words(UNAUTHORIZED_KINDS),
      description:
        'NO_RIGHT: the client had no right to the gift; REPEATED: another order has already redeemed the right.',
    }),
    status: Type.Unsafe<(typeof UNAUTHORIZED_STATUSES)[number]>({
      ...Words(UNAUTHORIZED_STATUSES),
      description: 'WITHDRAWN: the gift was taken out of the order again.',
    }),
    organizationErpId: Uuid,
    erpOrderId: Type.Unsafe<string>({
      ...Uuid,
      description: 'Id of the order at the external system.',
    }),
    orderId: Type.Unsafe<string | null>({
      ...Nullable(Uuid),
      description: 'The order of this service; null for one that was made elsewhere.',
    }),
    day: Type.String({
      format: 'date',
      description: "On which the order was made, by the restaurant's clock.",
    }),
    name: Type.String({ description: 'Name of the item in the external system.' }),
    quantity: Count,
    reward: Reward,
    clientId: Nullable(Uuid),
    ...DECISION,
    foundAt: Timestamp,
    ...CLOSING,
  }),
);

export type UnauthorizedGift = Static<typeof UnauthorizedGift>;

export const UnauthorizedDecision = Named(
  'UnauthorizedDecision',
  Strict({
    decision: Words(['ALLOWED', 'NOT_ALLOWED']),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
  }),
);

export type UnauthorizedDecision = Static<typeof UnauthorizedDecision>;
