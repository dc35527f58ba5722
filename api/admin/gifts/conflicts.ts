import { Type } from 'typebox';
import { listConflicts, resolveConflict } from '../../../modules/gifts/cards/conflicts.ts';
import {
  CompensationConflict,
  ConflictDecision,
} from '../../../modules/gifts/schemas/staff-decisions.ts';
import { Page, Strict, Words } from '../../../kernel/pure/schemas.ts';
import { CONFLICT_STATUSES } from '../../../modules/gifts/rules/words.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, sortQuery, toPage } from '../../http/schemas.ts';

const tags = ['Compensation conflicts'];

export const compensationConflictRoutes = [
  defineRoute({
    api: 'admin',
    method: 'GET',
    path: '/compensation-conflicts',
    operationId: 'listCompensationConflicts',
    summary: 'List promises for a decision by staff',
    description: 'The newest come first. Closed conflicts stay in the list.',
    tags,
    permission: 'compensations.read',
    query: Strict({
      ...pageQuery,
      ...sortQuery(['foundAt', 'kind', 'status']),
      status: Type.Optional(Words(CONFLICT_STATUSES)),
    }),
    responses: { 200: Page(CompensationConflict) },
    handler: async ({ query }, deps) => ({
      status: 200,
      body: await listConflicts(deps, { status: query.status }, toPage(query)),
    }),
  }),
  defineRoute({
    api: 'admin',
    method: 'POST',
    path: '/compensation-conflicts/{id}/resolve',
    operationId: 'resolveCompensationConflict',
    summary: 'Decide about a promise',
    description:
      'GRANT gives the client the gift, or leaves it when its promise was removed at the external system. IGNORE gives nothing, or cancels the ' +
      'gift whose promise was removed. A granted gift counts as a manual grant: users cannot grant one to their own phone. Canceling a gift also needs the permission `compensations.manage`. A closed conflict, and a gift that can no longer be canceled, are `invalid-transition`.',
    tags,
    permission: 'compensations.grant',
    params: IdParams,
    body: ConflictDecision,
    responses: { 200: CompensationConflict },
    problems: ['not-found', 'invalid-transition', 'grant-limit-reached'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await resolveConflict(deps, actor, params.id, {
        ...body,
        mayCancel: actor.permissions.includes('compensations.manage'),
      }),
    }),
  }),
];
