import type { TSchema } from 'typebox';
import { organizationOfUuid } from '../../app/mirror/organization-of-uuid.ts';
import { OR_UUID_KEYWORD } from '../../contracts/schemas.ts';
import type { Deps } from '../deps.ts';
import { isUuid } from './formats.ts';

/**
 * Writes our number in the place of each UUID that was sent for an `OrganizationId`, before the parameters are validated. A UUID
 * that no organization has gets a number that none has either, so every route answers as it does for an unknown number.
 */
export async function resolveOrganizations(
  { db }: Pick<Deps, 'db'>,
  schema: TSchema | undefined,
  sent: Record<string, unknown>,
): Promise<void> {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { [OR_UUID_KEYWORD]?: boolean }> };
  for (const [field, member] of Object.entries(properties)) {
    const value = sent[field];
    if (member[OR_UUID_KEYWORD] !== true || typeof value !== 'string' || !isUuid(value)) continue;
    sent[field] = String((await organizationOfUuid(db, value)) ?? UNKNOWN);
  }
}

/** The largest id that is valid: counting from 1, no sequence gets there. */
const UNKNOWN = Number.MAX_SAFE_INTEGER;
