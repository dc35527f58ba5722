import { createBadge, deleteBadge, editBadge, listBadges } from '../../../modules/catalog/badges.ts';
import { NewBadge, BadgeEdit } from '../../../modules/catalog/schemas/catalog-requests.ts';
import { Badge } from '../../../modules/catalog/schemas/catalog.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, pageOf, sortQuery } from '../../http/schemas.ts';

const tags = ['Badges'];

const listBadgesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/badges',
  restaurants: 'SHARED',
  operationId: 'listBadges',
  summary: 'Badges',
  description: 'Badges are sorted by their position.',
  tags,
  permission: 'catalog.read',
  query: Strict({ ...pageQuery, ...sortQuery(['code', 'name', 'position', 'productCount']) }),
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
  body: NewBadge,
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
  body: BadgeEdit,
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
