import { variantSuggestions } from '../../../modules/catalog/variants/suggest-variants.ts';
import { VariantSuggestions } from '../../../modules/catalog/schemas/catalog.ts';
import { Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';

export const variantSuggestionsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/erp/items/{item_id}/variant-suggestions',
  restaurants: 'SHARED',
  operationId: 'getVariantSuggestions',
  summary: 'Variants that a product of a dish could have',
  description:
    'The suggestions are read from names and sizes, for example `Пепперони 25 см` and `Пепперони 30 см`, `0,5 л`, ' +
    '`6 шт`, S/M/L. They cover the sizes of the dish and of dishes with the same base name in its group. An axis or ' +
    'option with `id: null` does not exist yet and is a proposal. `bound` is true when a product already has the ' +
    'dish.',
  tags: ['ERP items'],
  permission: 'catalog.read',
  params: Strict({ item_id: Uuid }),
  responses: { 200: VariantSuggestions },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({
    status: 200,
    body: await variantSuggestions(db, params.item_id),
  }),
});
