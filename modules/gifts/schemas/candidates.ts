import { Type, type Static } from 'typebox';
import { CANDIDATE_STATUSES, COMPENSATION_REASONS } from '../rules/words.ts';
import {
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

/** A phrase in a client's comment by which an operator may have meant a gift. */
export const CompensationCandidate = Named(
  'CompensationCandidate',
  Type.Object({
    id: Id,
    status: Words(CANDIDATE_STATUSES),
    clientId: Uuid,
    connectionId: Id,
    erpCustomerId: Nullable(Uuid),
    phrase: Type.String({ description: 'The phrase that was looked for, as phrases are compared.' }),
    text: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'The phrase with a little of the comment around it; null as soon as somebody has decided.',
    }),
    isPresent: Type.Boolean({ description: 'Whether it stood in the comment when the card was last read.' }),
    suggestedReward: Type.Unsafe<{ id: number; code: string; name: string } | null>({
      ...Nullable(Type.Object({ id: Id, code: Type.String(), name: Type.String() })),
      description: 'The only active reward whose name stood in the comment; null for none or several.',
    }),
    compensationId: Type.Unsafe<string | null>({ ...Nullable(Uuid), description: 'The right that was given.' }),
    reason: NullableText,
    reasonErased: ReasonErased,
    foundAt: Timestamp,
    seenAt: Timestamp,
    closedAt: Nullable(Timestamp),
    closedBy: Nullable(Id),
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
