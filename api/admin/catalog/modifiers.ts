import { Type } from 'typebox';
import {
  editModifierGroup,
  listGroupUses,
  listModifierGroups,
  orderModifiers,
} from '../../../modules/catalog/modifiers/modifier-groups.ts';
import { editModifier, listModifiers } from '../../../modules/catalog/modifiers/modifiers.ts';
import {
  ModifierGroupEdit,
  ModifierOrder,
  ModifierEdit,
} from '../../../modules/catalog/schemas/catalog-requests.ts';
import {
  Modifier,
  ModifierGroup,
  ModifierGroupUse,
} from '../../../modules/catalog/schemas/catalog.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { pageQuery, toPage, sortQuery } from '../../http/schemas.ts';

const tags = ['Modifiers'];
const permission = { reads: 'catalog.read', writes: 'catalog.write' } as const;
const Q = Type.Optional(Type.String({ maxLength: 200 }));
const GroupKey = Type.String({ minLength: 1, maxLength: 200 });
const GroupParams = Strict({ group_key: GroupKey });

const groupRoutes = defineResource({
  path: '/modifier-groups',
  params: GroupParams,
  tags,
  permission,
  restaurants: 'SHARED',
  item: ModifierGroup,
  list: {
    operationId: 'listModifierGroups',
    summary: 'Modifier groups of the ERP with their profiles',
    description: 'Groups are sorted by name. `q` is a part of the name.',
    sort: ['groupKey', 'name', 'displayName', 'sizeCount'],
    filters: { q: Q },
    run: ({ db }, page, { q }) => listModifierGroups(db, { ...page, q }),
  },
  edit: {
    operationId: 'editModifierGroup',
    summary: 'Change how a modifier group is shown',
    description: 'An absent field keeps its value. `null` restores the value of the ERP.',
    body: ModifierGroupEdit,
    run: editModifierGroup,
  },
});

const listGroupUsesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/modifier-groups/{group_key}/usages',
  operationId: 'listModifierGroupUsages',
  summary: 'Dishes that have a modifier group',
  description:
    'Dishes that the ERP has now are sorted by name, each with the product that uses it.',
  tags,
  permission: 'catalog.read',
  restaurants: 'SHARED',
  params: GroupParams,
  query: Strict({ ...pageQuery, ...sortQuery(['name', 'sku', 'sizeCount']) }),
  responses: { 200: Page(ModifierGroupUse) },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await listGroupUses(db, params.group_key, toPage(query)),
  }),
});

const orderRoute = defineRoute({
  api: 'admin',
  method: 'PUT',
  path: '/modifier-groups/{group_key}/order',
  operationId: 'orderModifiers',
  summary: 'Order the modifiers of a group',
  description:
    'Modifiers that the request does not name follow in the order of the ERP. An empty list restores the order of ' +
    'the ERP.',
  tags,
  permission: 'catalog.write',
  params: GroupParams,
  body: ModifierOrder,
  responses: { 200: ModifierGroup },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await orderModifiers(deps, actor, params.group_key, body),
  }),
});

const modifierResourceRoutes = defineResource({
  path: '/modifiers',
  params: Strict({ erp_item_id: Type.String({ format: 'uuid' }) }),
  tags,
  permission,
  restaurants: 'SHARED',
  item: Modifier,
  list: {
    operationId: 'listModifiers',
    summary: 'Modifiers of the ERP with their profiles',
    description:
      'Modifiers are sorted by name. `q` is a part of a name or sku; `group_key` keeps the modifiers of one group.',
    sort: ['name', 'sku', 'displayName', 'position'],
    filters: { q: Q, group_key: Type.Optional(GroupKey) },
    run: ({ db }, page, { q, group_key: groupKey }) => listModifiers(db, { ...page, q, groupKey }),
  },
  edit: {
    operationId: 'editModifier',
    summary: 'Change how a modifier is shown',
    description:
      'The change applies to every group that has the modifier. An absent field keeps its value, `null` clears it.',
    body: ModifierEdit,
    run: editModifier,
  },
});

export const modifierRoutes = [
  ...groupRoutes,
  listGroupUsesRoute,
  orderRoute,
  ...modifierResourceRoutes,
];
