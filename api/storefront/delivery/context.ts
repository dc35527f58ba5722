import { Type } from 'typebox';
import { requestedLanguage } from '../../../kernel/guest-language.ts';
import { StorefrontContext } from '../../../modules/delivery/schemas/context.ts';
import { Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { beginningOfSecond } from '../../http/live/live-path.ts';
import { defineRoute } from '../../http/route.ts';

export const contextRoute = defineRoute({
  api: 'public',
  method: 'GET',
  path: '/context',
  operationId: 'getContext',
  summary: 'Get the context of a storefront',
  description:
    'Status, estimates, ways to pay and notices of an organization. The estimate of a delivery is for the organization as ' +
    'a whole, and the notices are those that are active; when to show one again is up to the storefront.',
  tags: ['Organizations'],
  permission: 'public',
  query: Strict({
    organization_id: Type.Unsafe<string>({ ...Uuid, description: 'UUID of the organization.' }),
  }),
  responses: { 200: StorefrontContext },
  problems: ['not-found'],
  cacheControl: 'no-store',
  handler: async ({ query }, { clocks }) => {
    const clock = await clocks.load(query.organization_id.toLowerCase(), requestedLanguage());
    return { status: 200, body: clock.context(beginningOfSecond(Date.now())) };
  },
});
