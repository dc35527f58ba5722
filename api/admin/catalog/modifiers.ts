import { Type } from 'typebox';
import {
  editModifierGroup,
  listGroupUses,
  listModifierGroups,
  orderModifiers,
} from '../../../modules/catalog/modifiers/modifier-groups.ts';
import { editModifier, listModifiers } from '../../../modules/catalog/modifiers/modifiers.ts';
import { ModifierGroupEdit, ModifierOrder, ModifierEdit } from '../../../modules/catalog/schemas/catalog-requests.ts';
import { Modifier, ModifierGroup, ModifierGroupUse } from '../../../modules/catalog/schemas/catalog.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { pageQuery, pageOf, sortQuery } from '../../http/schemas.ts';

const tags = ['Modifiers'];
const Q = Type.Optional(Type.String({ maxLength: 200 }));
const GroupKey = Type.String({ minLength: 1, maxLength: 200 });
const GroupParams = Strict({ group_key: GroupKey });

const listGroupsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/modifier-groups',
  restaurants: 'SHARED',
  operationId: 'listModifierGroups',
  summary: 'Modifier groups of the ERP with their profiles',
  description: 'Groups are sorted by name. `q` is a part of the name.',
  tags,
  permission: 'catalog.read',
  query: Strict({ ...pageQuery, ...sortQuery(['groupKey', 'name', 'displayName', 'sizeCount']), q: Q }),
  responses: { 200: Page(ModifierGroup) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listModifierGroups(db, { ...pageOf(query), q: query.q }),
  }),
});

const listGroupUsesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/modifier-groups/{group_key}/usages',
  operationId: 'listModifierGroupUsages',
  summary: 'Dishes that have a modifier group',
  description: 'Dishes that the ERP has now are sorted by name, each with the product that uses it.',
  tags,
  permission: 'catalog.read',
  restaurants: 'SHARED',
  params: GroupParams,
  query: Strict({ ...pageQuery, ...sortQuery(['name', 'sku', 'sizeCount']) }),
  responses: { 200: Page(ModifierGroupUse) },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await listGroupUses(db, params.group_key, pageOf(query)),
  }),
});

const editGroupRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/modifier-groups/{group_key}',
  operationId: 'editModifierGroup',
  summary: 'Change how a modifier group is shown',
  description: 'An absent field keeps its value. `null` restores the value of the ERP.',
  tags,
  permission: 'catalog.write',
  params: GroupParams,
  body: ModifierGroupEdit,
  responses: { 200: ModifierGroup },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await editModifierGroup(deps, actor, params.group_key, body),
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

const listModifiersRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/modifiers',
  restaurants: 'SHARED',
  operationId: 'listModifiers',
  summary: 'Modifiers of the ERP with their profiles',
  description:
    'Modifiers are sorted by name. `q` is a part of a name or sku; `group_key` keeps the modifiers of one group.',
  tags,
  permission: 'catalog.read',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'sku', 'displayName', 'position']),
    q: Q,
    group_key: Type.Optional(GroupKey),
  }),
  responses: { 200: Page(Modifier) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listModifiers(db, { ...pageOf(query), q: query.q, groupKey: query.group_key }),
  }),
});

const editModifierRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/modifiers/{erp_item_id}',
  operationId: 'editModifier',
  summary: 'Change how a modifier is shown',
  description:
    'The change applies to every group that has the modifier. An absent field keeps its value, `null` clears it.',
  tags,
  permission: 'catalog.write',
  params: Strict({ erp_item_id: Type.String({ format: 'uuid' }) }),
  body: ModifierEdit,
  responses: { 200: Modifier },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await editModifier(deps, actor, params.erp_item_id, body),
  }),
});

export const modifierRoutes = [
  listGroupsRoute,
  listGroupUsesRoute,
  editGroupRoute,
  orderRoute,
  listModifiersRoute,
  editModifierRoute,
];
