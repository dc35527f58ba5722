import { Type } from 'typebox';
import { setBadges } from '../../../app/catalog/badges.ts';
import { editProduct } from '../../../app/catalog/edit-product.ts';
import { listProducts, PRODUCT_SORT_FIELDS } from '../../../app/catalog/list-products.ts';
import { moveProduct, moveProducts } from '../../../app/catalog/move-product.ts';
import { getProduct } from '../../../app/catalog/product-views.ts';
import { invalidField } from '../../../contracts/problem.ts';
import { PRODUCT_STATUSES, type ProductMove } from '../../../domain/catalog/product-states.ts';
import { defineRoute } from '../../http/route.ts';
import {
  Id,
  IdParams,
  Money,
  Nullable,
  Page,
  pageOf,
  pageQuery,
  sortOf,
  sortQuery,
  Strict,
  Timestamp,
  Uuid,
  Version,
  Words,
} from '../../http/schemas.ts';

const Status = Words(PRODUCT_STATUSES);
const Image = Type.Object({ id: Id, url: Type.String(), srcset: Type.String() });
const NullableText = Nullable(Type.String());

const Summary = Type.Object({
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  status: Status,
  mainImage: Nullable(Image),
  categoryIds: Type.Array(Id),
  variantCount: Type.Integer(),
  updatedAt: Timestamp,
  version: Type.Integer(),
});

const Variant = Type.Object({
  id: Id,
  erpItemId: Uuid,
  erpItemSizeId: Id,
  option: Nullable(Type.Object({ id: Id, code: Type.String(), name: Type.String(), shortName: NullableText })),
  isDefault: Type.Boolean(),
  position: Type.Integer(),
  lastSeenName: NullableText,
  lastSeenSku: NullableText,
  lastSeenPrice: Nullable(Money),
  bindingState: Words(['OK', 'MISSING']),
});

const Product = Type.Object({
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  subtitle: NullableText,
  description: NullableText,
  composition: NullableText,
  status: Status,
  statusReason: NullableText,
  variantAxis: Nullable(Type.Object({ id: Id, code: Type.String(), name: Type.String() })),
  categories: Type.Array(Type.Object({ id: Id, name: Type.String(), isPrimary: Type.Boolean() })),
  images: Type.Object({ main: Nullable(Image), hover: Nullable(Image), gallery: Type.Array(Image) }),
  variants: Type.Array(Variant),
  publishedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Type.Integer(),
});

const State = Type.Object({
  id: Id,
  status: Status,
  statusReason: NullableText,
  publishedAt: Nullable(Timestamp),
  version: Type.Integer(),
});

const tags = ['Products'];
const text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));

const listProductsRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/products',
  operationId: 'listProducts',
  summary: 'Products of the storefront',
  description: 'Filters combine with and. `q` is a part of the name or the address. Ordered by name by default.',
  tags,
  permission: 'catalog.read',
  query: Strict({
    ...pageQuery,
    ...sortQuery(PRODUCT_SORT_FIELDS),
    q: Type.Optional(Type.String({ maxLength: 200 })),
    category_id: Type.Optional(Id),
    status: Type.Optional(Status),
  }),
  responses: { 200: Page(Summary) },
  async handler({ query }, { db }) {
    const { page, size, limit, offset } = pageOf(query);
    const { q, category_id: categoryId, status } = query;
    const found = await listProducts(db, { q, categoryId, status, sort: sortOf(query.sort), limit, offset });
    return { status: 200, body: { ...found, page, size } };
  },
});

const getProductRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/products/{id}',
  operationId: 'getProduct',
  summary: 'One product with everything staff edit',
  description: '`version` is what an update has to name.',
  tags,
  permission: 'catalog.read',
  params: IdParams,
  responses: { 200: Product },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getProduct(db, params.id) }),
});

const editProductRoute = defineRoute({
  contour: 'admin',
  method: 'PATCH',
  path: '/products/{id}',
  operationId: 'editProduct',
  summary: 'Change texts and pictures of a product',
  description:
    'Merges: an absent field stays, null clears it. `gallery` replaces the whole list. ' +
    'With another `version` than the stored one the answer is `version-conflict` with `currentVersion`.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  body: Strict({
    version: Version,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    subtitle: text(300),
    description: text(5000),
    composition: text(5000),
    mainImageId: Type.Optional(Nullable(Id)),
    hoverImageId: Type.Optional(Nullable(Id)),
    gallery: Type.Optional(Nullable(Type.Array(Id, { maxItems: 30 }))),
  }),
  responses: { 200: Product },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await editProduct(deps, actor, params.id, body),
  }),
});

/** The three moves differ only in words. */
const moveRoute = (move: ProductMove, summary: string, description: string) =>
  defineRoute({
    contour: 'admin',
    method: 'POST',
    path: `/products/{id}/${move}`,
    operationId: `${move}Product`,
    summary,
    description,
    tags,
    permission: 'catalog.publish',
    params: IdParams,
    responses: { 200: State },
    problems: ['not-found', 'invalid-transition', ...(move === 'publish' ? (['publish-blocked'] as const) : [])],
    handler: async ({ params, actor }, deps) => ({
      status: 200,
      body: await moveProduct(deps, actor, params.id, move),
    }),
  });

const BULK_ACTIONS = { PUBLISH: 'publish', UNPUBLISH: 'unpublish', ARCHIVE: 'archive' } as const;

const bulkProductsRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/products/bulk',
  operationId: 'moveProducts',
  summary: 'Publish, hide or archive many products, or give them badges',
  description:
    'All products move together; those that cannot are left as they are and listed in `failed` with NOT_FOUND, ' +
    'INVALID_TRANSITION or the first violated rule of publication. SET_BADGES replaces their badges by `payload.badgeIds`.',
  tags,
  permission: {
    field: 'action',
    needs: {
      PUBLISH: 'catalog.publish',
      UNPUBLISH: 'catalog.publish',
      ARCHIVE: 'catalog.publish',
      SET_BADGES: 'catalog.write',
    },
  },
  body: Strict({
    productIds: Type.Array(Id, { minItems: 1, maxItems: 500 }),
    action: Words(['PUBLISH', 'UNPUBLISH', 'ARCHIVE', 'SET_BADGES']),
    payload: Type.Optional(Strict({ badgeIds: Type.Array(Id, { maxItems: 20 }) })),
  }),
  responses: {
    200: Type.Object({
      succeeded: Type.Array(Id),
      failed: Type.Array(Type.Object({ id: Id, reason: Type.String() })),
    }),
  },
  async handler({ body: { productIds, action, payload }, actor }, deps) {
    if (action !== 'SET_BADGES')
      return { status: 200, body: await moveProducts(deps, actor, productIds, BULK_ACTIONS[action]) };
    if (payload === undefined) throw invalidField('payload', 'required', 'SET_BADGES names the badges.');
    return { status: 200, body: await setBadges(deps, actor, productIds, payload.badgeIds) };
  },
});

export const productRoutes = [
  bulkProductsRoute,
  listProductsRoute,
  getProductRoute,
  editProductRoute,
  moveRoute(
    'publish',
    'Show a product to guests',
    'Every rule of publication is evaluated first; `violations` names all broken ones.',
  ),
  moveRoute('unpublish', 'Hide a published product', 'A product that is hidden already stays as it is.'),
  moveRoute('archive', 'Archive a product', 'Possible in any status.'),
];
