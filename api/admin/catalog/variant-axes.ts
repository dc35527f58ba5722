import { addVariantOption } from '../../../modules/catalog/variants/add-variant-option.ts';
import { editVariantAxis, editVariantOption } from '../../../modules/catalog/variants/edit-variant-axis.ts';
import { createVariantAxis, listVariantAxes } from '../../../modules/catalog/variants/variant-axes.ts';
import {
  NewVariantAxis,
  VariantAxisEdit,
  NewVariantOption,
  VariantOptionEdit,
} from '../../../modules/catalog/schemas/catalog-requests.ts';
import { VariantAxis } from '../../../modules/catalog/schemas/catalog.ts';
import { Id, Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, pageOf, sortQuery } from '../../http/schemas.ts';

const tags = ['Variant axes'];

const listVariantAxesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/variant-axes',
  restaurants: 'SHARED',
  operationId: 'listVariantAxes',
  summary: 'Variant axes with their options',
  description:
    'An axis is a property in which variants of a product differ, for example their volume. Axes are sorted by code; options ' +
    'come in their order.',
  tags,
  permission: 'catalog.read',
  query: Strict({ ...pageQuery, ...sortQuery(['code', 'name']) }),
  responses: { 200: Page(VariantAxis) },
  handler: async ({ query }, { db }) => ({ status: 200, body: await listVariantAxes(db, pageOf(query)) }),
});

const createVariantAxisRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/variant-axes',
  operationId: 'createVariantAxis',
  summary: 'Create an axis with its options',
  description:
    'Options keep the order of the request. Other requests name axes and options by their codes: `variantAxisCode`, ' +
    '`variantOptionCode`.',
  tags,
  permission: 'catalog.write',
  idempotent: true,
  body: NewVariantAxis,
  responses: { 201: VariantAxis },
  problems: ['duplicate'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createVariantAxis(deps, actor, body, idempotency),
  }),
});

const editVariantAxisRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/variant-axes/{id}',
  operationId: 'editVariantAxis',
  summary: 'Change an axis',
  description: 'An absent field keeps its value. Codes cannot be changed.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  body: VariantAxisEdit,
  responses: { 200: VariantAxis },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await editVariantAxis(deps, actor, params.id, body),
  }),
});

const addVariantOptionRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/variant-axes/{id}/options',
  operationId: 'addVariantOption',
  summary: 'Add an option to an axis',
  description: 'The option comes last unless `position` is given. Its code cannot be changed later.',
  tags,
  permission: 'catalog.write',
  idempotent: true,
  params: IdParams,
  body: NewVariantOption,
  responses: { 201: VariantAxis },
  problems: ['not-found', 'duplicate'],
  handler: async ({ params, body, actor, idempotency }, deps) => ({
    status: 201,
    body: await addVariantOption(deps, actor, params.id, body, idempotency),
  }),
});

const editVariantOptionRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/variant-axes/{id}/options/{option_id}',
  operationId: 'editVariantOption',
  summary: 'Change an option',
  description: 'An absent field keeps its value, `null` clears it. `version` is the version of the option.',
  tags,
  permission: 'catalog.write',
  params: Strict({ id: Id, option_id: Id }),
  body: VariantOptionEdit,
  responses: { 200: VariantAxis },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await editVariantOption(deps, actor, { axisId: params.id, optionId: params.option_id }, body),
  }),
});

export const variantAxisRoutes = [
  listVariantAxesRoute,
  createVariantAxisRoute,
  editVariantAxisRoute,
  addVariantOptionRoute,
  editVariantOptionRoute,
];
