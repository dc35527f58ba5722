import { Type } from 'typebox';
import { createFranchisee, listFranchisees } from '../../../app/franchise/franchisees.ts';
import { createLegalEntity, listLegalEntities } from '../../../app/franchise/legal-entities.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, Nullable, Page, pageOf, pageQuery, Strict, Timestamp } from '../../http/schemas.ts';

const tags = ['Franchise'];
const edited = { createdAt: Timestamp, updatedAt: Timestamp, version: Type.Integer() };
const Franchisee = Type.Object({ id: Id, name: Type.String(), isActive: Type.Boolean(), ...edited });
const LegalEntity = Type.Object({
  id: Id,
  franchiseeId: Id,
  name: Type.String(),
  taxId: Nullable(Type.String()),
  isActive: Type.Boolean(),
  ...edited,
});
const Name = Type.String({ minLength: 1, maxLength: 200 });

const listFranchiseesRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/franchisees',
  operationId: 'listFranchisees',
  summary: 'Franchisees',
  description: 'By name.',
  tags,
  permission: 'franchise.read',
  query: Strict(pageQuery),
  responses: { 200: Page(Franchisee) },
  handler: async ({ query }, deps) => ({ status: 200, body: await listFranchisees(deps, pageOf(query)) }),
});

const createFranchiseeRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/franchisees',
  operationId: 'createFranchisee',
  summary: 'Create a franchisee',
  description: 'It is active from the start. Names are unique.',
  tags,
  permission: 'franchise.manage',
  idempotent: true,
  body: Strict({ name: Name }),
  responses: { 201: Franchisee },
  problems: ['duplicate'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createFranchisee(deps, actor, body, idempotency),
  }),
});

const listLegalEntitiesRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/legal-entities',
  operationId: 'listLegalEntities',
  summary: 'Legal entities',
  description: 'By name, of one franchisee or of all.',
  tags,
  permission: 'franchise.read',
  query: Strict({ ...pageQuery, franchisee_id: Type.Optional(Id) }),
  responses: { 200: Page(LegalEntity) },
  handler: async ({ query }, deps) => ({
    status: 200,
    body: await listLegalEntities(deps, { ...pageOf(query), franchiseeId: query.franchisee_id }),
  }),
});

const createLegalEntityRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/legal-entities',
  operationId: 'createLegalEntity',
  summary: 'Create a legal entity',
  description: 'It belongs to a franchisee and owns connections. Tax ids are unique.',
  tags,
  permission: 'franchise.manage',
  idempotent: true,
  body: Strict({
    franchiseeId: Id,
    name: Name,
    taxId: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 20 }))),
  }),
  responses: { 201: LegalEntity },
  problems: ['duplicate'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createLegalEntity(deps, actor, body, idempotency),
  }),
});

export const franchiseRoutes = [
  listFranchiseesRoute,
  createFranchiseeRoute,
  listLegalEntitiesRoute,
  createLegalEntityRoute,
];
