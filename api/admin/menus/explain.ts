import { Type } from 'typebox';
import { invalidField } from '../../../kernel/problem.ts';
import { explainEverywhere } from '../../../modules/menus/snapshot/explain-everywhere.ts';
import { explainProduct } from '../../../modules/menus/snapshot/explain-product.ts';
import { ExplanationAnswer } from '../../../modules/menus/schemas/snapshot.ts';
import { defineRoute } from '../../http/route.ts';
import { OrganizationId, Strict } from '../../../kernel/pure/schemas.ts';
import { IdParams, pageOf, pageQuery, sortQuery } from '../../http/schemas.ts';

export const explainRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/products/{id}/explain',
  restaurants: 'LISTED',
  operationId: 'explainProduct',
  summary: 'Explain why a product is in the menu of a restaurant or is not',
  description:
    'Returns for each variant whether it is in the menu, whether it is available, and its price, by the ' +
    'same rules that build the menu. It lists the facts that decide this with their times: status, categories, ' +
    'external menus, prices and the run that wrote them, stop-list rows, settings. `reason` is the first condition ' +
    'that is not met, or AVAILABLE when all are met. For a product without variants only the `facts` of the product ' +
    'are listed: find the first with `holds: false`. `served` is what guests see at this moment.\n\n' +
    'With `all=true` the answer has one entry for each active restaurant instead, sorted by name: the reason and a ' +
    'sentence for staff. `page`, `size` and `sort`, by the restaurant, apply to it only.',
  tags: ['Products'],
  permission: 'catalog.read',
  params: IdParams,
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'id']),
    organization_id: Type.Optional({ ...OrganizationId, description: 'The restaurant. Required without `all`.' }),
    all: Type.Optional(Type.Boolean({ description: 'True for an overview of all active restaurants.' })),
  }),
  responses: { 200: ExplanationAnswer },
  problems: ['not-found'],
  async handler({ params, query, actor: { scope } }, { db }) {
    if (query.all === true)
      return { status: 200, body: await explainEverywhere(db, params.id, { ...pageOf(query), scope }) };
    if (query.organization_id === undefined)
      throw invalidField('organization_id', 'required', 'Name a restaurant, or send `all=true`.');
    return { status: 200, body: await explainProduct(db, params.id, query.organization_id) };
  },
});
