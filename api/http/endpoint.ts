import { Readable } from 'node:stream';
import { greetCustomer } from '../../modules/ordering/cart/card-of-cart.ts';
import { Strict } from '../../kernel/pure/schemas.ts';
import { Problem, type FieldError } from '../../kernel/problem.ts';
import type { Deps } from '../deps.ts';
import type { AnswerStore } from './hot/answer-store.ts';
import { bodyReader } from './input/body.ts';
import { matchesEtag, weakEtag } from './hot/kept-answer.ts';
import { readCaller } from './caller.ts';
import type { HttpContext } from './context.ts';
import {
  readActor,
  readCart,
  readCustomer,
  readOrder,
  readWebhookSource,
  requireAccess,
  requireAccessToBody,
} from './access/guard.ts';
import { IDEMPOTENCY_HEADER, readIdempotency, REPLAYED_HEADER } from './input/idempotency-key.ts';
import { organizationResolver } from './input/organization-id.ts';
import { budgetHeaders, type RateLimits, type RateVerdict } from './limits/rate-limits.ts';
import {
  hasEtag,
  isPersonal,
  isWithoutStaff,
  type AnyAnswer,
  type AnyRequest,
  type Cookie,
  type Route,
} from './route.ts';
import { AnswerShapeError, createSerializer } from './serializer.ts';
import { answerInScope, requireChain, restaurantCheck } from './access/restaurants.ts';
import { isShared, takeShared } from './limits/shared-limit.ts';
import { storedSender } from './hot/stored-sender.ts';
import { bodyValidator, foreignBodyValidator, queryValidator } from './input/validation.ts';

const NOTHING = Strict({});

/** Creates the function that serves a route. Schemas are compiled on the first request. */
export function createEndpoint(
  route: Route,
  deps: Deps,
  limits: RateLimits,
  answers: AnswerStore,
): (ctx: HttpContext, params: Record<string, string>) => Promise<void> {
  const checkParams = queryValidator(route.params ?? NOTHING, 'params');
  const checkQuery = queryValidator(route.query ?? NOTHING, 'query');
  const formOrBody =
    route.files === undefined
      ? route.api === 'webhooks'
        ? foreignBodyValidator
        : bodyValidator
      : (schema: typeof NOTHING) => queryValidator(schema, 'body');

  const checkBody = formOrBody((route.body ?? NOTHING) as typeof NOTHING);
  const inParams = organizationResolver(route.params);
  const inQuery = organizationResolver(route.query);
  const inBody = organizationResolver(route.body);
  const checkRestaurants = restaurantCheck(route);
  const readBody = bodyReader(route);
  const write = answerWriter(route, deps);
  const sendStored = storedSender(route, deps, answers);

  return async (ctx, rawParams) => {
    ctx.state.route = route;
    const client = readCaller(ctx.req, deps.env.TRUST_PROXY);
    const { address } = client;
    const staff = isWithoutStaff(route.permission) ? null : await readActor(ctx, deps);
    ctx.state.userId = staff?.userId ?? null;
    const caller = staff === null ? address : `user ${staff.userId}`;
    const { counter, budget } =
      staff === null
        ? limits.count(route.rateLimit, client)
        : limits.countStaff(route.rateLimit, staff);
    if (counter !== null)
      obey(ctx, { allowed: budget.allowed, headers: budgetHeaders(counter, budget) });

    requireAccess(route, staff);
    requireChain(route, staff);
    const customer = await readCustomer(ctx, route.permission, deps);
    if (customer !== null) greetCustomer(deps, customer);
    const webhook =
      route.permission === 'webhook-secret' ? await readWebhookSource(ctx, deps) : null;

    const params: Record<string, unknown> = { ...rawParams };
    const query: Record<string, unknown> = { ...ctx.query };
    await inParams(deps, params);
    await inQuery(deps, query);
    refuse([...checkParams(params), ...checkQuery(query)]);
    const { body, files } = await readBody(ctx);
    await inBody(deps, body);
    if (body !== undefined) refuse(checkBody(body));
    requireAccessToBody(route.permission, staff, body);
    const { requestId } = ctx.state;
    const sent = { params, query, body };
    await checkRestaurants(staff, sent as unknown as AnyRequest, deps);
    const actor =
      route.permission === 'cart'
        ? await readCart(sent, customer, deps, requestId)
        : route.permission === 'order'
          ? await readOrder(sent, customer, deps, requestId)
          : (staff ?? customer);

    if (isShared(route.rateLimit))
      obey(
        ctx,
        await takeShared(
          deps,
          route.rateLimit,
          caller,
          actor?.type === 'CART' ? actor.cartId : null,
        ),
      );

    const idempotency = await readIdempotency(
      route,
      ctx.req.headers[IDEMPOTENCY_HEADER.toLowerCase()],
      { path: ctx.path, body, files, actor, clientAddress: address },
      deps.secrets,
    );

    const request = {
      params,
      query,
      body,
      files,
      actor: webhook ?? actor,
      requestId,
      clientAddress: address,
      headers: ctx.req.headers,
      isHead: ctx.method === 'HEAD',
      cookies: (name: string) => ctx.cookies.get(cookieName(name, deps.env.COOKIE_SECURE)),
      idempotency,
    } as unknown as AnyRequest;

    const handle = () => route.handler(request, deps);
    if (await sendStored(ctx, request, handle)) return;
    const handled = await handle();
    const answer = { ...handled, body: await answerInScope(handled.body, staff, deps) };
    if (idempotency?.isReplayed === true) ctx.set(REPLAYED_HEADER, 'true');
    write(ctx, answer);
  };
}

function obey(ctx: HttpContext, { allowed, headers }: RateVerdict): void {
  ctx.set(headers);
  if (!allowed) throw new Problem('rate-limited');
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw new Problem('validation', { errors });
}

function answerWriter(route: Route, deps: Deps): (ctx: HttpContext, answer: AnyAnswer) => void {
  const strict = deps.env.NODE_ENV === 'test';
  const serializers = new Map(
    Object.entries(route.responses).map(([status, schema]) => [
      Number(status),
      schema === null
        ? null
        : route.mediaType === 'text/csv'
          ? String
          : createSerializer(schema, strict),
    ]),
  );

  return (ctx, answer) => {
    const serialize = serializers.get(answer.status);
    if (serialize === undefined)
      throw new AnswerShapeError(
        `${route.operationId} answered the undeclared status ${answer.status}`,
      );

    ctx.status = answer.status;
    ctx.set(answer.headers ?? {});
    for (const cookie of answer.cookies ?? [])
      ctx.append('Set-Cookie', cookieText(cookie, deps.env.COOKIE_SECURE));
    if (answer.body instanceof Readable) {
      sendStream(ctx, answer.body, answer.mediaType ?? route.mediaType!);
      return;
    }

    const text = serialize === null ? null : serialize(answer.body);
    // Prevents a menu text from ending the JSON-LD script.
    ctx.body =
      route.mediaType === 'application/ld+json' ? (text?.replaceAll('<', '\\u003c') ?? null) : text;
    if (text === null) ctx.status = answer.status; // Koa sends 204 for a null body.
    else ctx.type = route.mediaType ?? 'application/json';
    if (route.api === 'public') setCaching(ctx, route);
  };
}

/** Uncompressed, so that events are not delayed. Koa destroys the stream on disconnect. */
function sendStream(ctx: HttpContext, stream: Readable, mediaType: string): void {
  ctx.compress = false;
  ctx.type = mediaType;
  ctx.set('Cache-Control', 'private, no-store');
  ctx.body = stream;
}

/**
 * Storefront responses get a weak ETag. Personal ones and commands are not cached unless the
 * route allows it.
 */
function setCaching(ctx: HttpContext, route: Route): void {
  if (!hasEtag(route)) {
    ctx.set(
      'Cache-Control',
      route.cacheControl ?? (isPersonal(route.permission) ? 'private, no-store' : 'no-store'),
    );

    return;
  }

  if (ctx.status !== 200) return;
  const text = ctx.body as string;
  ctx.set('ETag', weakEtag(text));
  ctx.set('Cache-Control', route.cacheControl ?? 'no-cache');
  if (!matchesEtag(ctx.req.headers['if-none-match'], ctx.response.get('ETag'))) return;
  ctx.status = 304;
  ctx.body = null;
}

/** Browsers accept this prefix only over TLS and from this host, not from sibling hosts. */
const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name);

/** The cookie library rejects Secure cookies behind a proxy that ends TLS. */
function cookieText(cookie: Cookie, secure: boolean): string {
  return [
    `${cookieName(cookie.name, secure)}=${cookie.value}`,
    'Path=/',
    `Max-Age=${cookie.maxAge}`,
    'HttpOnly',
    ...(secure ? ['Secure'] : []),
    `SameSite=${cookie.sameSite ?? 'Strict'}`,
  ].join('; ');
}
