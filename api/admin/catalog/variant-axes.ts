import { addVariantOption } from '../../../modules/catalog/variants/add-variant-option.ts';
import {
  editVariantAxis,
  editVariantOption,
} from '../../../modules/catalog/variants/edit-variant-axis.ts';
import {
  createVariantAxis,
  listVariantAxes,
} from '../../../modules/catalog/variants/variant-axes.ts';
import {
  NewVariantAxis,
  VariantAxisEdit,
  NewVariantOption,
  VariantOptionEdit,
} from '../../../modules/catalog/schemas/catalog-requests.ts';
import { VariantAxis } from '../../../modules/catalog/schemas/catalog.ts';
import { Id, Strict } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams } from '../../http/schemas.ts';

const tags = ['Variant axes'];

const axisRoutes = defineResource({
  path: '/variant-axes',
  tags,
  permission: { reads: 'catalog.read', writes: 'catalog.write' },
  restaurants: 'SHARED',
  item: VariantAxis,
  list: {
    operationId: 'listVariantAxes',
    summary: 'Variant axes with their options',
    description:
      'An axis is a property in which variants of a product differ, for example their volume. Axes are sorted by code; options ' +
      'come in their order.',
    sort: ['code', 'name'],
    run: ({ db }, page) => listVariantAxes(db, page),
  },
  create: {
    operationId: 'createVariantAxis',
    summary: 'Create an axis with its options',
    description:
      'Options keep the order of the request. Other requests name axes and options by their codes: `variantAxisCode`, ' +
      '`variantOptionCode`.',
    problems: ['duplicate'],
    body: NewVariantAxis,
    run: createVariantAxis,
  },
  edit: {
    operationId: 'editVariantAxis',
    summary: 'Change an axis',
    description: 'An absent field keeps its value. Codes cannot be changed.',
    body: VariantAxisEdit,
    run: editVariantAxis,
  },
});

const addVariantOptionRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/variant-axes/{id}/options',
  operationId: 'addVariantOption',
  summary: 'Add an option to an axis',
  description:
    'The option comes last unless `position` is given. Its code cannot be changed later.',
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
  description:
    'An absent field keeps its value, `null` clears it. `version` is the version of the option.',
  tags,
  permission: 'catalog.write',
  params: Strict({ id: Id, option_id: Id }),
  body: VariantOptionEdit,
  responses: { 200: VariantAxis },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await editVariantOption(
      deps,
      actor,
      { axisId: params.id, optionId: params.option_id },
      body,
    ),
  }),
});

export const variantAxisRoutes = [...axisRoutes, addVariantOptionRoute, editVariantOptionRoute];
