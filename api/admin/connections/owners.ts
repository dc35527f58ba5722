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
import { Id, SeenVersion } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams } from '../../http/schemas.ts';

const tags = ['Franchise'];
const permission = { reads: 'franchise.read', writes: 'franchise.manage' } as const;

const franchiseeRoutes = defineResource({
  path: '/franchisees',
  tags,
  permission,
  item: Franchisee,
  list: {
    operationId: 'listFranchisees',
    summary: 'Franchisees',
    description: 'Franchisees are sorted by name.',
    sort: ['name', 'isActive', 'createdAt', 'updatedAt'],
    run: listFranchisees,
  },
  create: {
    operationId: 'createFranchisee',
    summary: 'Create a franchisee',
    description: 'The new franchisee is active. Its name must be unique.',
    problems: ['duplicate'],
    body: NewFranchisee,
    run: createFranchisee,
  },
  get: {
    operationId: 'getFranchisee',
    summary: 'One franchisee',
    run: ({ db }, id) => getFranchisee(db, id),
  },
  edit: {
    operationId: 'updateFranchisee',
    summary: 'Change a franchisee',
    description: 'An absent field keeps its value.',
    problems: ['duplicate'],
    body: FranchiseeEdit,
    run: (deps, actor, id, body) => updateFranchisee(deps, actor, { id, ...body }),
  },
});

const legalEntityRoutes = defineResource({
  path: '/legal-entities',
  tags,
  permission,
  item: LegalEntity,
  list: {
    operationId: 'listLegalEntities',
    summary: 'Legal entities',
    description: 'Legal entities are sorted by name, for one franchisee or for all.',
    sort: ['name', 'taxId', 'isActive', 'createdAt', 'updatedAt'],
    filters: { franchisee_id: Type.Optional(Id) },
    run: (deps, page, query) =>
      listLegalEntities(deps, { ...page, franchiseeId: query.franchisee_id }),
  },
  create: {
    operationId: 'createLegalEntity',
    summary: 'Create a legal entity',
    description:
      'A legal entity belongs to a franchisee and owns connections. Its tax id must be unique.',
    problems: ['duplicate'],
    body: NewLegalEntity,
    run: createLegalEntity,
  },
  get: {
    operationId: 'getLegalEntity',
    summary: 'One legal entity',
    run: ({ db }, id) => getLegalEntity(db, id),
  },
  edit: {
    operationId: 'updateLegalEntity',
    summary: 'Change a legal entity',
    description:
      'An absent field keeps its value, `null` clears it. The franchisee cannot be changed.',
    problems: ['duplicate'],
    body: LegalEntityEdit,
    run: (deps, actor, id, body) => updateLegalEntity(deps, actor, { id, ...body }),
  },
});

const MOVES = [
  {
    move: 'activate',
    isActive: true,
    description:
      'Imports of its connections start again with their next schedule. A second call changes nothing.',
  },
  {
    move: 'deactivate',
    isActive: false,
    description:
      'Its connections are no longer imported, and the ERP is not called for them. A second call ' +
      'changes nothing.',
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
    permission: permission.writes,
    params: IdParams,
    body: SeenVersion,
    responses: { 200: Franchisee },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await setFranchiseeActive(deps, actor, {
        id: params.id,
        version: body.version,
        isActive,
      }),
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
    permission: permission.writes,
    params: IdParams,
    body: SeenVersion,
    responses: { 200: LegalEntity },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await setLegalEntityActive(deps, actor, {
        id: params.id,
        version: body.version,
        isActive,
      }),
    }),
  }),
);

export const franchiseRoutes = [
  ...franchiseeRoutes,
  ...franchiseeMoves,
  ...legalEntityRoutes,
  ...legalEntityMoves,
];
