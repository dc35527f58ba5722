import type { CartActor, CustomerActor, OrderActor } from '../../../kernel/actor.ts';
import { verifyAccessToken } from '../../../modules/access/access-token.ts';
import { KEY_TOKEN_START } from '../../../modules/access/api-keys/key-token.ts';
import { readProfile } from '../../../modules/access/profile.ts';
import { connectionOfSecret } from '../../../modules/connections/webhook-secrets.ts';
import { permissionMissing, Problem } from '../../../kernel/problem.ts';
import type { Deps } from '../../deps.ts';
import type { HttpContext } from '../context.ts';
import {
  isPersonal,
  isWithoutStaff,
  listPermissions,
  type Access,
  type AnyActor,
  type Route,
  type UserActor,
  type WebhookActor,
} from '../route.ts';
import { holdsWebhookSecret, sentSecrets } from './webhook-secret.ts';

/** Returns the signed-in user, or null without a valid token. Never throws. */
export async function readActor(
  ctx: HttpContext,
  { db, env, keyring, apiKeys }: Deps,
): Promise<UserActor | null> {
  const token = bearerToken(ctx.req.headers.authorization);
  if (token?.startsWith(KEY_TOKEN_START) === true) return readKeyActor(ctx, token, apiKeys);
  const claims = token === undefined ? null : await verifyAccessToken(keyring, token);
  const profile = claims === null ? null : await readProfile({ db, env }, claims);
  if (claims === null || profile === null) return null;

  return {
    type: 'USER',
    userId: profile.userId,
    requestId: ctx.state.requestId,
    sessionId: claims.sessionId,
    rateClass: null,
    permissions: profile.permissions,
    scope: profile.organizationIds,
    lacks: profile.mustChangePassword
      ? 'OWN_PASSWORD'
      : profile.secondFactor.isDemanded
        ? 'SECOND_FACTOR'
        : null,
  };
}

/** Returns true for a valid access token of active staff. Never throws. */
export async function isStaffToken(
  authorization: string | undefined,
  { db, env, keyring, apiKeys }: Deps,
): Promise<boolean> {
  const token = bearerToken(authorization);
  if (token === undefined) return false;
  if (token.startsWith(KEY_TOKEN_START))
    return !('refused' in (await apiKeys.find(token, 'ADMIN')));
  const claims = await verifyAccessToken(keyring, token);
  const profile = claims === null ? null : await readProfile({ db, env }, claims);

  return profile !== null && !profile.mustChangePassword && !profile.secondFactor.isDemanded;
}

/** Records rejections as security events. */
async function readKeyActor(
  ctx: HttpContext,
  token: string,
  apiKeys: Deps['apiKeys'],
): Promise<UserActor | null> {
  const apiKey = await apiKeys.find(token, 'ADMIN');
  if ('refused' in apiKey) {
    ctx.state.refusedKey = apiKey;
    return null;
  }

  const { id, permissions, organizationIds: scope, rateClass } = apiKey;
  const { requestId } = ctx.state;

  return {
    type: 'USER',
    userId: id,
    requestId,
    sessionId: null,
    rateClass,
    permissions,
    scope,
    lacks: null,
  };
}

/** Blocks all other operations. */
const FIRST = {
  OWN_PASSWORD: 'Another user has set this password. Change it first: POST /me/password',
  SECOND_FACTOR: 'Set up a second factor first: POST /me/second-factor',
} as const;

/**
 * Throws `unauthorized` or `forbidden` unless the actor may use the route. If the required
 * permission depends on the body, any of the possible permissions is enough to read it.
 */
export function requireAccess(
  { permission: access, despite = [] }: Pick<Route, 'permission' | 'despite'>,
  actor: UserActor | null,
): void {
  if (isWithoutStaff(access)) return;
  if (actor === null)
    throw new Problem('unauthorized', {
      detail: 'Send a valid access token: Authorization: Bearer …',
      headers: { 'WWW-Authenticate': 'Bearer realm="carte-admin"' },
    });

  if (actor.lacks !== null && !despite.includes(actor.lacks))
    throw new Problem('forbidden', { detail: FIRST[actor.lacks] });
  if (access === 'staff') return;
  const permissions = listPermissions(access);
  if (permissions.length === 0 && actor.sessionId === null)
    throw new Problem('forbidden', { detail: 'An API key has no account. Sign in as a user.' });
  if (permissions.length === 0 || permissions.some((entry) => actor.permissions.includes(entry)))
    return;

  throw permissionMissing(permissions);
}

/** Throws `forbidden` without the permission that this valid body requires. */
export function requireAccessToBody(access: Access, actor: AnyActor | null, body: unknown): void {
  if (typeof access !== 'object') return;
  const needed = access.needs[String((body as Record<string, unknown>)[access.field])];
  if (needed === undefined) throw new Error(`No permission is declared for this ${access.field}`);
  if (actor?.type !== 'USER' || !actor.permissions.includes(needed))
    throw permissionMissing([needed]);
}

/**
 * Returns the customer of the access token, or null for a guest. Throws `unauthorized` for an
 * invalid token, even on public routes.
 */
export async function readCustomer(
  ctx: HttpContext,
  access: Access,
  deps: Deps,
): Promise<CustomerActor | null> {
  if (!isPersonal(access)) return null;
  const { authorization } = ctx.req.headers;
  const token = bearerToken(authorization);
  const customer = token === undefined ? null : await deps.guests.customerOf(token);
  if (customer !== null) {
    const { id: customerId, verifiedPhone, name, expiresAt: tokenExpiresAt } = customer;
    return {
      type: 'CUSTOMER',
      customerId,
      verifiedPhone,
      name,
      tokenExpiresAt,
      requestId: ctx.state.requestId,
    };
  }

  if (access !== 'customer' && authorization === undefined) return null;

  throw new Problem('unauthorized', {
    detail: 'Send a valid access token of a customer: Authorization: Bearer …',
    headers: { 'WWW-Authenticate': 'Bearer realm="carte-storefront"' },
  });
}

type Sent = { params: unknown; query: unknown; body: unknown };

/**
 * Identifies the caller of a `cart` route. Throws `not-found` for unknown carts and carts of
 * others, so that ids cannot be probed.
 */
export async function readCart(
  sent: Sent,
  customer: CustomerActor | null,
  { guests }: Deps,
  requestId: string,
): Promise<CartActor | CustomerActor | null> {
  const { params, query, body } = sent as Record<
    keyof Sent,
    { cart_id?: string; cartId?: string } | undefined
  >;

  // Limits count by id, and a UUID may have upper case.
  const cartId = (params?.cart_id ?? query?.cart_id ?? body?.cartId)?.toLowerCase();
  if (cartId === undefined) return customer;
  const { customerId = null, verifiedPhone = null, name = null } = customer ?? {};
  if (!(await guests.mayUseCart(cartId, customerId)))
    throw new Problem('not-found', { detail: 'The cart does not exist.' });

  return { type: 'CART', cartId, customerId, verifiedPhone, name, requestId };
}

/**
 * Identifies the caller of an `order` route. Throws `not-found` for unknown orders and orders of
 * others.
 */
export async function readOrder(
  { params }: Pick<Sent, 'params'>,
  customer: CustomerActor | null,
  { guests }: Deps,
  requestId: string,
): Promise<OrderActor> {
  const orderId = (params as { order_id: string }).order_id.toLowerCase();
  const customerId = customer?.customerId ?? null;
  if (!(await guests.mayUseOrder(orderId, customerId, customer?.verifiedPhone ?? null)))
    throw new Problem('not-found', { detail: 'The order does not exist.' });

  return {
    type: 'ORDER',
    orderId,
    customerId,
    tokenExpiresAt: customer?.tokenExpiresAt ?? null,
    requestId,
  };
}

/** Identifies the source of a webhook by its secret. Throws `unauthorized`. */
export async function readWebhookSource(
  ctx: HttpContext,
  { env, db }: Pick<Deps, 'env' | 'db'>,
): Promise<WebhookActor> {
  const carriers = { authorization: ctx.req.headers.authorization, token: ctx.query['token'] };
  if (holdsWebhookSecret(env.WEBHOOK_SECRET, carriers))
    return { type: 'WEBHOOK', connectionId: null };
  const connectionId = await connectionOfSecret(db, sentSecrets(carriers));
  if (connectionId !== null) return { type: 'WEBHOOK', connectionId };

  throw new Problem('unauthorized', {
    detail:
      'The secret of the webhook is missing or wrong. Send it in the header `Authorization`, or in the query parameter `token`.',
    headers: { 'WWW-Authenticate': 'Bearer realm="carte-webhooks"', Connection: 'close' },
  });
}

export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/=-]+)$/i.exec(header ?? '')?.[1];
}
