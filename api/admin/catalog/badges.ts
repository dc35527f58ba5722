import { Type } from 'typebox';
import { createBadge, deleteBadge, editBadge, listBadges } from '../../../app/catalog/badges.ts';
import { Badge } from '../../../contracts/catalog.ts';
import { Page } from '../../../contracts/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { Strict, IdParams, Version, pageQuery, pageOf } from '../../http/schemas.ts';

const tags = ['Badges'];
const Name = Type.String({ minLength: 1, maxLength: 100 });
const Position = Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 }));

const listBadgesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/badges',
  operationId: 'listBadges',
  summary: 'Badges',
  description: 'Badges come in their order.',
  tags,
  permission: 'catalog.read',
  query: Strict(pageQuery),
  responses: { 200: Page(Badge) },
  handler: async ({ query }, { db }) => ({ status: 200, body: await listBadges(db, pageOf(query)) }),
});

const createBadgeRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/badges',
  operationId: 'createBadge',
  summary: 'Create a badge',
  description: 'The code cannot be changed later. The bulk action SET_BADGES gives badges to products.',
  tags,
  permission: 'catalog.write',
  idempotent: true,
  body: Strict({ code: Type.String({ pattern: '^[A-Z0-9][A-Z0-9_-]{0,49}$' }), name: Name, position: Position }),
  responses: { 201: Badge },
  problems: ['duplicate'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createBadge(deps, actor, body, idempotency),
  }),
});

const editBadgeRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/badges/{id}',
  operationId: 'editBadge',
  summary: 'Change a badge',
  description: 'An absent field keeps its value.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  body: Strict({ version: Version, name: Type.Optional(Name), position: Position }),
  responses: { 200: Badge },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await editBadge(deps, actor, params.id, body),
  }),
});

const deleteBadgeRoute = defineRoute({
  api: 'admin',
  method: 'DELETE',
  path: '/badges/{id}',
  operationId: 'deleteBadge',
  summary: 'Delete a badge',
  description: 'The badge is removed from every product.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  responses: { 204: null },
  problems: ['not-found'],
  async handler({ params, actor }, deps) {
    await deleteBadge(deps, actor, params.id);
    return { status: 204 };
  },
});

export const badgeRoutes = [listBadgesRoute, createBadgeRoute, editBadgeRoute, deleteBadgeRoute];
