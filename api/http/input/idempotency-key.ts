import { createHash, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Idempotency } from '../../../kernel/idempotency.ts';
import { invalidField } from '../../../kernel/problem.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { AnyActor, Route, UploadedFile } from '../route.ts';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
export const REPLAYED_HEADER = 'Idempotent-Replayed';

const FINGERPRINT = 'idempotency.fingerprint';

/**
 * Returns null without a key. Throws `validation` if the key is invalid, or required and missing.
 * The fingerprint is keyed, because a reader of the table could otherwise guess most bodies.
 */
export async function readIdempotency(
  route: Route,
  header: string | string[] | undefined,
  request: {
    path: string;
    body: unknown;
    files: readonly UploadedFile[];
    actor: AnyActor | null;
    clientAddress: string;
  },
  secrets: Pick<SecretBox, 'digest' | 'isDigestOf'>,
): Promise<Idempotency | null> {
  if (route.idempotent === undefined) return null;
  if (header === undefined) {
    if (route.idempotent === true) return null;
    throw invalidField(
      IDEMPOTENCY_HEADER,
      'required',
      'is required, so that a retry is not processed twice',
    );
  }

  const key = [header].flat().join(',');
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw invalidField(IDEMPOTENCY_HEADER, 'format', 'must be 1 to 200 printable characters');
  const owner =
    request.actor === null
      ? anonymous(request.clientAddress, secrets)
      : identifyOwner(request.actor);

  const scope = `${route.api}/${route.operationId}/${owner}`;
  const body = await withoutPassword(request.body, `${scope}\n${key}`);
  const content = createHash('sha256')
    .update(`${route.method} ${request.path}\n`)
    .update(stableJson(body));
  for (const { originalName, bytes } of request.files)
    content.update(`\n${JSON.stringify(originalName)}\n`).update(bytes);
  const sent = content.digest('hex');

  return {
    scope,
    key,
    fingerprint: secrets.digest(FINGERPRINT, sent),
    // Rows of the previous release, which live for a day, have an unkeyed digest.
    isSameRequest: (fingerprint) =>
      fingerprint === sent || secrets.isDigestOf(FINGERPRINT, sent, fingerprint),
    status: Math.min(...Object.keys(route.responses).map(Number)),
  };
}

/** Staff have the plain number, as in earlier rows. */
function identifyOwner(actor: AnyActor): string {
  switch (actor.type) {
    case 'USER':
      return String(actor.userId);
    case 'CUSTOMER':
      return `customer:${actor.customerId}`;
    case 'CART':
      return `cart:${actor.cartId}`;
    case 'ORDER':
      return `order:${actor.orderId}`;
  }
}

/** Guests with the same key must not get each other's cart. */
function anonymous(clientAddress: string, secrets: Pick<SecretBox, 'digest'>): string {
  return `guest:${secrets.digest('idempotency.guest', clientAddress)}`;
}

const derive = promisify(scrypt) as (
  password: string,
  salt: string,
  bytes: number,
) => Promise<Buffer>;

/**
 * Replaces the password by a slow hash. With a fast one, a reader of the table who guesses the rest
 * of the body could guess the password.
 */
async function withoutPassword(body: unknown, salt: string): Promise<unknown> {
  const { password } = (body ?? {}) as { password?: unknown };
  if (typeof password !== 'string') return body;

  return {
    ...(body as object),
    password: (await derive(password, salt, 32)).toString('base64url'),
  };
}

/** Ignores the order of members. */
function stableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, entry: unknown) =>
      typeof entry === 'object' && entry !== null && !Array.isArray(entry)
        ? Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : entry,
    ) ?? ''
  );
}
