import type { Deps } from '../../deps.ts';
import type { AnswerStore, StoredRequest } from './answer-store.ts';
import type { HttpContext } from '../context.ts';
import type { AnyAnswer, AnyRequest, Route } from '../route.ts';
import { createSerializer } from '../serializer.ts';

type Sent = Pick<AnyRequest, 'params' | 'query'>;

/**
 * Returns a function that sends the stored response, or stores the response of `handle`. If the
 * response cannot be stored, the function returns false and sends nothing.
 */
export function storedSender(
  route: Route,
  deps: Deps,
  answers: AnswerStore,
): (ctx: HttpContext, sent: Sent, handle: () => Promise<AnyAnswer>) => Promise<boolean> {
  const schema = route.responses[200];
  if (route.basis === null || schema == null) return () => Promise.resolve(false);
  const serialize = createSerializer(schema, deps.env.NODE_ENV === 'test');

  return async (ctx, sent, handle) => {
    const request = storedRequest(route, deps, sent);
    const basis = request.basis();
    if (basis === null) return false;
    const answer = await answers.answerTo(request, basis, async () => {
      const { body, headers = {}, keep = true } = await handle();
      return { content: { text: serialize(body), headers }, keep };
    });

    await answer.send(ctx);
    answers.remember(ctx.req.url ?? '', request);

    return true;
  };
}

/** Copies, so that the original is not kept in memory. */
function storedRequest(route: Route, deps: Deps, { params, query }: Sent): StoredRequest {
  const key = JSON.stringify([
    route.operationId,
    params,
    Object.entries(query ?? {}).toSorted(byName),
  ]);

  return { key, route, basis: () => route.basis?.({ params, query }, deps) ?? null };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
