import { Type, type Static } from 'typebox';
import { getCompensation, listCompensations } from '../../../modules/gifts/rights/compensations.ts';
import { issueCompensation } from '../../../modules/gifts/rights/issue-right.ts';
import { editCompensation } from '../../../modules/gifts/rights/edit-terms.ts';
import {
  cancelCompensation,
  rebindCompensation,
} from '../../../modules/gifts/rights/staff-moves.ts';
import {
  Compensation,
  CompensationEdit,
  CompensationReasonGiven,
  CompensationRebind,
  CompensationStatus,
  CompensationWithMoves,
  NewCompensation,
} from '../../../modules/gifts/schemas/gifts.ts';
import { CursorPage, Id, Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { cursorQuery, sortQuery, toCursorPage } from '../../http/schemas.ts';

const reads = {
  api: 'admin',
  method: 'GET',
  tags: ['Gifts'],
  permission: 'compensations.read',
} as const;

const moves = {
  api: 'admin',
  method: 'POST',
  tags: ['Gifts'],
  permission: 'compensations.manage',
} as const;

const RightParams = Strict({
  id: Type.Unsafe<string>({ ...Uuid, description: 'Id of the right.' }),
});
const Moment = Type.String({ format: 'date-time' });

export const compensationFilterQuery = {
  status: Type.Optional(CompensationStatus),
  client: Type.Optional(
    Type.String({
      minLength: 10,
      maxLength: 40,
      description: 'Id of a client, or a phone with its country.',
    }),
  ),
  reward_id: Type.Optional(
    Type.Unsafe<number>({ ...Id, description: 'Keeps rights to this reward.' }),
  ),
  from: Type.Optional(
    Type.Unsafe<string>({ ...Moment, description: 'Keeps rights granted at this time or later.' }),
  ),
  to: Type.Optional(
    Type.Unsafe<string>({ ...Moment, description: 'Keeps rights granted before this time.' }),
  ),
};

const FilterQuery = Strict(compensationFilterQuery);

export const toCompensationFilters = ({
  status,
  client,
  reward_id: rewardId,
  from,
  to,
}: Static<typeof FilterQuery>) => ({
  status,
  client,
  rewardId,
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
});

export const compensationRoutes = [
  defineRoute({
    ...reads,
    path: '/compensations',
    operationId: 'listCompensations',
    summary: 'Rights of clients to gifts',
    description: 'The newest promise comes first. Most digits of phones are hidden.',
    query: Strict({
      ...cursorQuery,
      ...sortQuery(['grantedAt', 'expiresAt', 'status', 'quantity', 'source']),
      ...compensationFilterQuery,
    }),
    responses: { 200: CursorPage(Compensation) },
    handler: async ({ query }, deps) => ({
      status: 200,
      body: await listCompensations(
        deps,
        toCompensationFilters(query),
        // Cursors may be logged. A digest would allow guessing the phone.
        toCursorPage(
          query,
          {},
          {
            ...query,
            client:
              query.client === undefined
                ? undefined
                : deps.secrets.digest('compensation.search', query.client),
          },
        ),
      ),
    }),
  }),
  defineRoute({
    ...reads,
    path: '/compensations/{id}',
    operationId: 'getCompensation',
    summary: 'One right with its history',
    description: '`moves` is the ledger: who or what moved the right, when and why.',
    params: RightParams,
    responses: { 200: CompensationWithMoves },
    problems: ['not-found'],
    handler: async ({ params }, deps) => ({
      status: 200,
      body: await getCompensation(deps, params.id.toLowerCase()),
    }),
  }),
  defineRoute({
    ...moves,
    path: '/compensations',
    permission: 'compensations.grant',
    operationId: 'issueCompensation',
    summary: 'Promise a client a gift',
    description:
      'The client is named by `clientId`, or by a phone that the user has verified. The setting `compensation_grants_per_day` limits what one ' +
      'user grants, and users cannot grant to their own phone.',
    idempotent: 'required',
    body: NewCompensation,
    responses: { 201: CompensationWithMoves },
    problems: ['grant-limit-reached'],
    handler: async ({ body, actor, idempotency }, deps) => ({
      status: 201,
      body: await issueCompensation(deps, actor, body, idempotency),
    }),
  }),
  defineRoute({
    ...moves,
    method: 'PATCH',
    path: '/compensations/{id}',
    operationId: 'editCompensation',
    summary: 'Change the terms of a right',
    description:
      'Changes the term, the reason, its comment or the source order of a GRANTED or BLOCKED right. The change is in the ledger and the audit.',
    params: RightParams,
    body: CompensationEdit,
    responses: { 200: CompensationWithMoves },
    problems: ['not-found', 'version-conflict', 'invalid-transition', 'compensation-taken'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await editCompensation(deps, actor, params.id.toLowerCase(), body),
    }),
  }),
  defineRoute({
    ...moves,
    path: '/compensations/{id}/cancel',
    operationId: 'cancelCompensation',
    summary: 'Cancel a right',
    description:
      'Only a GRANTED right can be canceled, and only with a reason. A right that an order has reserved is `compensation-taken`.',
    params: RightParams,
    body: CompensationReasonGiven,
    responses: { 200: CompensationWithMoves },
    problems: ['not-found', 'invalid-transition', 'compensation-taken', 'reason-required'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await cancelCompensation(deps, actor, params.id.toLowerCase(), body.reason),
    }),
  }),
  defineRoute({
    ...moves,
    path: '/compensations/{id}/rebind',
    operationId: 'rebindCompensation',
    summary: 'Give another gift instead',
    description:
      'A GRANTED or BLOCKED right gets another reward, with a reason, and is GRANTED afterwards.',
    params: RightParams,
    body: CompensationRebind,
    responses: { 200: CompensationWithMoves },
    problems: ['not-found', 'invalid-transition', 'compensation-taken', 'reason-required'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await rebindCompensation(deps, actor, params.id.toLowerCase(), body),
    }),
  }),
];
