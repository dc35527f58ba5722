import { createHash } from 'node:crypto';
import type { Idempotency } from '../../app/idempotency.ts';
import { invalidField } from '../../contracts/problem.ts';
import type { Route, UploadedFile, UserActor } from './route.ts';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/**
 * The use of an Idempotency-Key by this request; null when the route or the caller does not use one. Throws `validation`
 * for a key that is not 1 to 200 printable characters. The fingerprint covers method, path, body and file.
 */
export function readIdempotency(
  route: Route,
  header: string | string[] | undefined,
  request: { path: string; body: unknown; files: readonly UploadedFile[]; actor: UserActor | null },
): Idempotency | null {
  if (route.idempotent !== true || header === undefined) return null;
  const key = [header].flat().join(',');
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw invalidField(IDEMPOTENCY_HEADER, 'format', 'must be 1 to 200 printable characters');
  const fingerprint = createHash('sha256').update(`${route.method} ${request.path}\n`).update(stableJson(request.body));
  for (const file of request.files) fingerprint.update('\n').update(file.bytes);
  return {
    scope: `${route.contour}/${route.operationId}/${request.actor?.userId ?? 'anonymous'}`,
    key,
    fingerprint: fingerprint.digest('hex'),
    status: Math.min(...Object.keys(route.responses).map(Number)),
  };
}

/** JSON with sorted members: the order of fields does not make another request. */
function stableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    ) ?? ''
  );
}
