import { Type } from 'typebox';
import { addVariantOption } from '../../../app/catalog/add-variant-option.ts';
import { editVariantAxis, editVariantOption } from '../../../app/catalog/edit-variant-axis.ts';
import { createVariantAxis, listVariantAxes } from '../../../app/catalog/variant-axes.ts';
import { VariantAxis } from '../../../contracts/catalog.ts';
import { Id, Nullable, Page } from '../../../contracts/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { Strict, IdParams, Version, pageQuery, pageOf } from '../../http/schemas.ts';

const Code = Type.String({
  pattern: '^[A-Z0-9][A-Z0-9_.-]{0,49}$',
  description: 'Capital letters and digits, for example SIZE or CM30.',
});
const Name = Type.String({ minLength: 1, maxLength: 100 });
const ShortName = Nullable(Type.String({ maxLength: 20 }));

const Position = Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 }));
const newOption = { code: Code, name: Name, shortName: Type.Optional(ShortName) };
const tags = ['Variant axes'];

const listVariantAxesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/variant-axes',
  operationId: 'listVariantAxes',
  summary: 'Variant axes with their options',
  description:
    'An axis is what variants of a product differ in, for example their volume. Axes are sorted by code; options ' +
    'come in their order.',
  tags,
  permission: 'catalog.read',
  query: Strict(pageQuery),
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
  body: Strict({
    code: Code,
    name: Name,
    uiType: Type.Optional(Type.Enum(['SEGMENTED', 'LIST'], { default: 'SEGMENTED' })),
    options: Type.Array(Strict(newOption), {
      minItems: 1,
      maxItems: 100,
    }),
  }),
  responses: { 201: VariantAxis },
  problems: ['duplicate'],
  async handler({ body, actor, idempotency }, deps) {
    const { uiType = 'SEGMENTED', ...axis } = body;
    return { status: 201, body: await createVariantAxis(deps, actor, { ...axis, uiType }, idempotency) };
  },
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
  body: Strict({
    version: Version,
    name: Type.Optional(Name),
    uiType: Type.Optional(Type.Enum(['SEGMENTED', 'LIST'])),
  }),
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
  body: Strict({ ...newOption, position: Position }),
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
  body: Strict({
    version: Version,
    name: Type.Optional(Name),
    shortName: Type.Optional(ShortName),
    position: Position,
  }),
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
