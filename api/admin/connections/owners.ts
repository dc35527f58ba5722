import { Type } from 'typebox';
import {
  createFranchisee,
  getFranchisee,
  listFranchisees,
  setFranchiseeActive,
  updateFranchisee,
} from '../../../modules/connections/franchise/franchisees.ts';
import {
  createLegalEntity,
  getLegalEntity,
  listLegalEntities,
  setLegalEntityActive,
  updateLegalEntity,
} from '../../../modules/connections/franchise/legal-entities.ts';
import {
  Franchisee,
  FranchiseeEdit,
  LegalEntity,
  LegalEntityEdit,
  NewFranchisee,
  NewLegalEntity,
} from '../../../modules/connections/schemas/franchise.ts';
import { Id, Page, SeenVersion, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, pageOf, sortQuery } from '../../http/schemas.ts';

const tags = ['Franchise'];

const listFranchiseesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/franchisees',
  operationId: 'listFranchisees',
  summary: 'Franchisees',
  description: 'Franchisees are sorted by name.',
  tags,
  permission: 'franchise.read',
  query: Strict({ ...pageQuery, ...sortQuery(['name', 'isActive', 'createdAt', 'updatedAt']) }),
  responses: { 200: Page(Franchisee) },
  handler: async ({ query }, deps) => ({ status: 200, body: await listFranchisees(deps, pageOf(query)) }),
});

const createFranchiseeRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/franchisees',
  operationId: 'createFranchisee',
  summary: 'Create a franchisee',
  description: 'The new franchisee is active. Its name must be unique.',
  tags,
  permission: 'franchise.manage',
  idempotent: true,
  body: NewFranchisee,
  responses: { 201: Franchisee },
  problems: ['duplicate'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createFranchisee(deps, actor, body, idempotency),
  }),
});

const listLegalEntitiesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/legal-entities',
  operationId: 'listLegalEntities',
  summary: 'Legal entities',
  description: 'Legal entities are sorted by name, for one franchisee or for all.',
  tags,
  permission: 'franchise.read',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'taxId', 'isActive', 'createdAt', 'updatedAt']),
    franchisee_id: Type.Optional(Id),
  }),
  responses: { 200: Page(LegalEntity) },
  handler: async ({ query }, deps) => ({
    status: 200,
    body: await listLegalEntities(deps, { ...pageOf(query), franchiseeId: query.franchisee_id }),
  }),
});

const createLegalEntityRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/legal-entities',
  operationId: 'createLegalEntity',
  summary: 'Create a legal entity',
  description: 'A legal entity belongs to a franchisee and owns connections. Its tax id must be unique.',
  tags,
  permission: 'franchise.manage',
  idempotent: true,
  body: NewLegalEntity,
  responses: { 201: LegalEntity },
  problems: ['duplicate'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createLegalEntity(deps, actor, body, idempotency),
  }),
});

const getFranchiseeRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/franchisees/{id}',
  operationId: 'getFranchisee',
  summary: 'One franchisee',
  description: 'An update has to name `version`.',
  tags,
  permission: 'franchise.read',
  params: IdParams,
  responses: { 200: Franchisee },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getFranchisee(db, params.id) }),
});

const updateFranchiseeRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/franchisees/{id}',
  operationId: 'updateFranchisee',
  summary: 'Change a franchisee',
  description: 'An absent field keeps its value.',
  tags,
  permission: 'franchise.manage',
  params: IdParams,
  body: FranchiseeEdit,
  responses: { 200: Franchisee },
  problems: ['not-found', 'version-conflict', 'duplicate'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await updateFranchisee(deps, actor, { id: params.id, ...body }),
  }),
});

const getLegalEntityRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/legal-entities/{id}',
  operationId: 'getLegalEntity',
  summary: 'One legal entity',
  description: 'An update has to name `version`.',
  tags,
  permission: 'franchise.read',
  params: IdParams,
  responses: { 200: LegalEntity },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getLegalEntity(db, params.id) }),
});

const updateLegalEntityRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/legal-entities/{id}',
  operationId: 'updateLegalEntity',
  summary: 'Change a legal entity',
  description: 'An absent field keeps its value, `null` clears it. The franchisee cannot be changed.',
  tags,
  permission: 'franchise.manage',
  params: IdParams,
  body: LegalEntityEdit,
  responses: { 200: LegalEntity },
  problems: ['not-found', 'version-conflict', 'duplicate'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await updateLegalEntity(deps, actor, { id: params.id, ...body }),
  }),
});

/** The two moves of the operational status, which every kind of owner has. */
const MOVES = [
  {
    move: 'activate',
    isActive: true,
    description: 'Imports of its connections start again with their next schedule. A second call changes nothing.',
  },
  {
    move: 'deactivate',
    isActive: false,
    description:
      'Its connections are no longer imported, and the ERP is not called for them. A second call ' + 'changes nothing.',
  },
] as const;

const franchiseeMoves = MOVES.map(({ move, isActive, description }) =>
  defineRoute({
    api: 'admin',
    method: 'POST',
    path: `/franchisees/{id}/${move}`,
    operationId: `${move}Franchisee`,
    summary: `${isActive ? 'Activate' : 'Deactivate'} a franchisee`,
    description,
    tags,
    permission: 'franchise.manage',
    params: IdParams,
    body: SeenVersion,
    responses: { 200: Franchisee },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await setFranchiseeActive(deps, actor, { id: params.id, version: body.version, isActive }),
    }),
  }),
);

const legalEntityMoves = MOVES.map(({ move, isActive, description }) =>
  defineRoute({
    api: 'admin',
    method: 'POST',
    path: `/legal-entities/{id}/${move}`,
    operationId: `${move}LegalEntity`,
    summary: `${isActive ? 'Activate' : 'Deactivate'} a legal entity`,
    description,
    tags,
    permission: 'franchise.manage',
    params: IdParams,
    body: SeenVersion,
    responses: { 200: LegalEntity },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await setLegalEntityActive(deps, actor, { id: params.id, version: body.version, isActive }),
    }),
  }),
);

export const franchiseRoutes = [
  listFranchiseesRoute,
  createFranchiseeRoute,
  getFranchiseeRoute,
  updateFranchiseeRoute,
  ...franchiseeMoves,
  listLegalEntitiesRoute,
  createLegalEntityRoute,
  getLegalEntityRoute,
  updateLegalEntityRoute,
  ...legalEntityMoves,
];
