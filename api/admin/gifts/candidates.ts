import { Type } from 'typebox';
import {
  confirmCandidate,
  dismissCandidate,
  listCandidates,
} from '../../../modules/gifts/cards/candidates.ts';
import {
  CandidateConfirmation,
  CandidateDismissal,
  CompensationCandidate,
} from '../../../modules/gifts/schemas/staff-decisions.ts';
import { Id, Page, Strict, Words } from '../../../kernel/pure/schemas.ts';
import { CANDIDATE_STATUSES } from '../../../modules/gifts/rules/words.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, sortQuery, toPage } from '../../http/schemas.ts';

const common = {
  api: 'admin',
  tags: ['Compensation candidates'],
  permission: 'compensations.grant',
} as const;

/** Phrases in clients' comments that may mean gifts. */
export const compensationCandidateRoutes = [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/compensation-candidates',
    operationId: 'listCompensationCandidates',
    summary: 'Phrases in comments that may promise a gift',
    description:
      'The newest come first. The setting `gift_phrases` lists the phrases. A phrase alone grants no gift. Closed candidates stay ' +
      'in the list, without their text.',
    query: Strict({
      ...pageQuery,
      ...sortQuery(['foundAt', 'seenAt', 'status']),
      status: Type.Optional(Words(CANDIDATE_STATUSES)),
      connection_id: Type.Optional(
        Type.Unsafe<number>({ ...Id, description: 'Keeps clients of this connection.' }),
      ),
    }),
    responses: { 200: Page(CompensationCandidate) },
    handler: async ({ query }, deps) => ({
      status: 200,
      body: await listCandidates(
        deps,
        { status: query.status, connectionId: query.connection_id },
        toPage(query),
      ),
    }),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/compensation-candidates/{id}/confirm',
    operationId: 'confirmCompensationCandidate',
    summary: 'Give the client of a phrase a gift',
    description:
      'The client gets a right as from `POST /compensations`, within the same limits, and a candidate grants one right only: a closed one is ' +
      '`invalid-transition`. The comment in the external system is not changed: remove the phrase there after confirming.',
    idempotent: true,
    params: IdParams,
    body: CandidateConfirmation,
    responses: { 200: CompensationCandidate },
    problems: ['not-found', 'invalid-transition', 'grant-limit-reached'],
    handler: async ({ params, body, actor, idempotency }, deps) => ({
      status: 200,
      body: await confirmCandidate(deps, actor, params.id, body, idempotency),
    }),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/compensation-candidates/{id}/dismiss',
    operationId: 'dismissCompensationCandidate',
    summary: 'Dismiss a phrase',
    description:
      'The phrase is reported again only after it has disappeared from the comment and returned. A closed candidate is `invalid-transition`.',
    params: IdParams,
    body: CandidateDismissal,
    responses: { 200: CompensationCandidate },
    problems: ['not-found', 'invalid-transition'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await dismissCandidate(deps, actor, params.id, body),
    }),
  }),
];
