import { Type } from 'typebox';
import {
  productStructuredData,
  restaurantStructuredData,
} from '../../../modules/delivery/structured-data.ts';
import { StructuredData } from '../../../modules/delivery/schemas/hours.ts';
import { Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';

export const structuredDataRoute = defineRoute({
  api: 'public',
  method: 'GET',
  path: '/structured-data',
  operationId: 'getStructuredData',
  summary: 'Markup for search engines',
  description:
    'The restaurant with its opening hours and its menu in the vocabulary of schema.org, or with `product` one product ' +
    'with its offers. The response can be used unchanged inside a script element of the type `application/ld+json`. Images have ' +
    'URLs only if `PUBLIC_URL` or a storage of images is configured.',
  tags: ['Menu'],
  permission: 'public',
  query: Strict({
    organization_id: Type.Unsafe<string>({ ...Uuid, description: 'UUID of the organization.' }),
    product: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Slug of a product, or a former slug.',
      }),
    ),
  }),
  responses: { 200: StructuredData },
  mediaType: 'application/ld+json',
  problems: ['not-found', 'unavailable'],
  cacheControl: 'public, max-age=60',
  async handler({ query }, { db, env, clocks, readMenuView }) {
    const erpId = query.organization_id.toLowerCase();
    const [view, clock] = [await readMenuView(erpId), await clocks.load(erpId)];
    const options = { at: Date.now(), publicUrl: env.PUBLIC_URL };
    if (query.product === undefined)
      return { status: 200, body: restaurantStructuredData(view, clock, options) };

    return {
      status: 200,
      body: await productStructuredData(db, view, clock, { ...options, slug: query.product }),
    };
  },
});
