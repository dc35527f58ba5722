import { Type } from 'typebox';
import { createVariantAxis, listVariantAxes } from '../../../app/catalog/variant-axes.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, Nullable, Page, pageOf, pageQuery, Strict } from '../../http/schemas.ts';

const Code = Type.String({
  pattern: '^[A-Z0-9][A-Z0-9_.-]{0,49}$',
  description: 'Capital letters and digits: SIZE, CM30',
});
const Name = Type.String({ minLength: 1, maxLength: 100 });
const ShortName = Nullable(Type.String({ maxLength: 20 }));

const VariantAxis = Type.Object({
  id: Id,
  code: Type.String(),
  name: Type.String(),
  uiType: Type.String(),
  options: Type.Array(
    Type.Object({
      id: Id,
      code: Type.String(),
      name: Type.String(),
      shortName: Nullable(Type.String()),
      position: Type.Integer(),
    }),
  ),
  version: Type.Integer(),
});

const tags = ['Variant axes'];

const listVariantAxesRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/variant-axes',
  operationId: 'listVariantAxes',
  summary: 'Axes guests choose a variant by, with their options',
  description: 'Ordered by code; options in their own order.',
  tags,
  permission: 'catalog.read',
  query: Strict(pageQuery),
  responses: { 200: Page(VariantAxis) },
  handler: async ({ query }, { db }) => ({ status: 200, body: await listVariantAxes(db, pageOf(query)) }),
});

const createVariantAxisRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/variant-axes',
  operationId: 'createVariantAxis',
  summary: 'Create an axis with its options',
  description:
    'Options keep the order of the request. Codes are what other requests name: `variantAxisCode`, `variantOptionCode`.',
  tags,
  permission: 'catalog.write',
  idempotent: true,
  body: Strict({
    code: Code,
    name: Name,
    uiType: Type.Optional(Type.Enum(['SEGMENTED', 'LIST'], { default: 'SEGMENTED' })),
    options: Type.Array(Strict({ code: Code, name: Name, shortName: Type.Optional(ShortName) }), {
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

export const variantAxisRoutes = [listVariantAxesRoute, createVariantAxisRoute];
