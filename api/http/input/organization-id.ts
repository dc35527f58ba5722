import type { TSchema } from 'typebox';
import { organizationsOfUuids } from '../../../modules/mirror/organization-of-uuid.ts';
import { OR_UUID_KEYWORD } from '../../../kernel/pure/schemas.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from './formats.ts';

/**
 * A schema as far as values are followed through it: no further than lists, members and either-ors.
 */
type Node = TSchema & {
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  [OR_UUID_KEYWORD]?: boolean;
};
/** A UUID that was sent for an `OrganizationId`, and its place. */
type Found = { holder: Record<string | number, unknown>; name: string | number; uuid: string };

/**
 * Writes our number in the place of each UUID that was sent for an `OrganizationId`, in parameters
 * and bodies, before they are validated. A UUID that no organization has gets a number that none
 * has either, so every route answers as it does for an unknown number.
 */
export function organizationResolver(
  schema: TSchema | undefined,
): (deps: Pick<Deps, 'db'>, sent: unknown) => Promise<void> {
  // Most requests have no organization by number and need no search.
  if (schema === undefined || !JSON.stringify(schema).includes(OR_UUID_KEYWORD)) return () => Promise.resolve();
  return async ({ db }, sent) => {
    const found: Found[] = [];
    look(schema, { sent }, 'sent', found);
    if (found.length === 0) return;
    const uuids = found.map((entry) => entry.uuid);
    const numbers = await organizationsOfUuids(db, [...new Set(uuids)]);
    for (const { holder, name, uuid } of found) holder[name] = numbers.get(uuid) ?? UNKNOWN;
  };
}

function look(schema: Node, holder: Found['holder'], name: Found['name'], found: Found[]): void {
  const value = holder[name];
  if (typeof value === 'string') {
    if (isOrganization(schema) && isUuid(value)) found.push({ holder, name, uuid: value.toLowerCase() });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const members = value as Found['holder'];
  for (const node of schema.anyOf ?? []) look(node, holder, name, found);
  if (Array.isArray(value) && schema.items !== undefined)
    for (const at of value.keys()) look(schema.items, members, at, found);
  else for (const [field, member] of Object.entries(schema.properties ?? {})) look(member, members, field, found);
}

const isOrganization = ({ [OR_UUID_KEYWORD]: itself, anyOf = [] }: Node): boolean =>
  itself === true || anyOf.some(isOrganization);

/** The largest id that is valid: counting from 1, no sequence gets there. */
const UNKNOWN = Number.MAX_SAFE_INTEGER;
