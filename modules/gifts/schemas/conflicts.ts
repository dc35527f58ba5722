import { Type, type Static } from 'typebox';
import { CONFLICT_KINDS, CONFLICT_STATUSES } from '../rules/words.ts';
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

/** What people decide about a promise that was read at the ERP. */
export const CompensationConflict = Named(
  'CompensationConflict',
  Type.Object({
    id: Id,
    kind: Type.Unsafe<(typeof CONFLICT_KINDS)[number]>({
      ...Words(CONFLICT_KINDS),
      description:
        'SECOND_RIGHT: a promise to a client who has a gift already, or one of several that were found at once; ' +
        'REMOVED_BY_HAND: the promise of a gift that was not used is gone at the external system.',
    }),
    status: Type.Unsafe<(typeof CONFLICT_STATUSES)[number]>({
      ...Words(CONFLICT_STATUSES),
      description: 'WITHDRAWN: the external system has settled it itself.',
    }),
    source: Words(['ERP_CATEGORY', 'ERP_COMMENT']),
    clientId: Uuid,
    reward: Type.Object({ id: Id, code: Type.String(), name: Type.String() }),
    compensationId: Nullable(Uuid),
    reason: NullableText,
    reasonErased: ReasonErased,
    foundAt: Timestamp,
    closedAt: Nullable(Timestamp),
    closedBy: Nullable(Id),
  }),
);
export type CompensationConflict = Static<typeof CompensationConflict>;

/** GRANT: the client gets the gift, or keeps it. IGNORE: the promise gives nothing, or the right whose promise is gone is cancelled. */
export const ConflictDecision = Named(
  'ConflictDecision',
  Strict({ decision: Words(['GRANT', 'IGNORE']), reason: Type.String({ minLength: 1, maxLength: 500 }) }),
);
export type ConflictDecision = Static<typeof ConflictDecision>;
