import { createHash, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Idempotency } from '../../../kernel/idempotency.ts';
import { invalidField } from '../../../kernel/problem.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { AnyActor, Route, UploadedFile } from '../route.ts';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** The header of a stored answer to an earlier request with the same key. */
export const REPLAYED_HEADER = 'Idempotent-Replayed';

/** The purpose of fingerprints for keyed digests. */
const FINGERPRINT = 'idempotency.fingerprint';

/**
 * The use of an Idempotency-Key by this request; null when the route or the caller does not use
 * one. Throws `validation` for a key that is not 1 to 200 printable characters, and for none where
 * the route requires one. The fingerprint covers method, path, body, file and its name; it is
 * keyed, because a reader of the table could guess most of a body and try the rest.
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
    throw invalidField(IDEMPOTENCY_HEADER, 'required', 'is required, so that a retry is not processed twice');
  }
  const key = [header].flat().join(',');
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw invalidField(IDEMPOTENCY_HEADER, 'format', 'must be 1 to 200 printable characters');
  const owner = request.actor === null ? anonymous(request.clientAddress, secrets) : ownerOf(request.actor);
  const scope = `${route.api}/${route.operationId}/${owner}`;
  const body = await withoutPassword(request.body, `${scope}\n${key}`);
  const content = createHash('sha256').update(`${route.method} ${request.path}\n`).update(stableJson(body));
  for (const { originalName, bytes } of request.files)
    content.update(`\n${JSON.stringify(originalName)}\n`).update(bytes);
  const sent = content.digest('hex');
  return {
    scope,
    key,
    fingerprint: secrets.digest(FINGERPRINT, sent),
    // Rows of the last release, which live for a day, have the plain digest.
    isSameRequest: (stored) => stored === sent || secrets.isDigestOf(FINGERPRINT, sent, stored),
    status: Math.min(...Object.keys(route.responses).map(Number)),
  };
}

/**
 * To whom a key belongs: two callers may choose the same one. Staff are named by their number
 * alone, as ever.
 */
function ownerOf(actor: AnyActor): string {
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

/**
 * Names the owner of a key that an unknown guest sends: a digest of the client address, so that two
 * guests who choose the same key never get each other's cart. The address itself is not stored.
 */
function anonymous(clientAddress: string, secrets: Pick<SecretBox, 'digest'>): string {
  return `guest:${secrets.digest('idempotency.guest', clientAddress)}`;
}

const derive = promisify(scrypt) as (password: string, salt: string, bytes: number) => Promise<Buffer>;

/**
 * The body with its password replaced by a value that is as slow to guess as the stored hash. A
 * reader of the table may guess the rest of the body, so a plain digest would be one of the
 * password.
 */
async function withoutPassword(body: unknown, salt: string): Promise<unknown> {
  const { password } = (body ?? {}) as { password?: unknown };
  if (typeof password !== 'string') return body;
  return { ...(body as object), password: (await derive(password, salt, 32)).toString('base64url') };
}

/** JSON with sorted members: the order of fields does not make another request. */
function stableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, entry: unknown) =>
      typeof entry === 'object' && entry !== null && !Array.isArray(entry)
        ? Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : entry,
    ) ?? ''
  );
}
