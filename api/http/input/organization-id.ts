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
  if (schema === undefined || !namesOrganizations(schema)) return () => Promise.resolve();
  return async ({ db }, sent) => {
    const found: Found[] = [];
    visit(schema, { sent }, 'sent', (node, holder, name) => {
      const value = holder[name];
      if (typeof value === 'string' && isOrganization(node) && isUuid(value))
        found.push({ holder, name, uuid: value.toLowerCase() });
    });
    if (found.length === 0) return;
    const uuids = found.map((entry) => entry.uuid);
    const numbers = await organizationsOfUuids(db, [...new Set(uuids)]);
    for (const { holder, name, uuid } of found) holder[name] = numbers.get(uuid) ?? UNKNOWN;
  };
}

/** The organizations that the parts of a valid request name. */
export type NamedOrganizations = {
  ids: number[];
  /**
   * True if a field that takes organizations is null or empty: the request is about all of them.
   */
  isForChain: boolean;
};

/**
 * Returns the organizations that a part of a request with this schema names. Its UUIDs were
 * replaced by {@link organizationResolver}.
 */
export function organizationReader(schema: TSchema | undefined): (sent: unknown) => NamedOrganizations {
  if (!namesOrganizations(schema)) return () => ({ ids: [], isForChain: false });
  return (sent) => {
    const ids: number[] = [];
    let isForChain = false;
    visit(schema!, { sent }, 'sent', (node, holder, name) => {
      const value = holder[name];
      if (typeof value === 'number' && isOrganization(node)) ids.push(value);
      if (value === null && (isOrganization(node) || isList(node))) isForChain = true;
      if (Array.isArray(value) && value.length === 0 && isList(node)) isForChain = true;
    });
    return { ids, isForChain };
  };
}

/** True for parameters and bodies with a field that takes organizations. */
export const namesOrganizations = (schema: TSchema | undefined): boolean =>
  schema !== undefined && JSON.stringify(schema).includes(OR_UUID_KEYWORD);

type Visitor = (schema: Node, holder: Found['holder'], name: Found['name']) => void;

/** Calls `see` for each value for which the schema has a node; nodes of one value may repeat. */
function visit(schema: Node, holder: Found['holder'], name: Found['name'], see: Visitor): void {
  const value = holder[name];
  if (value === undefined) return;
  see(schema, holder, name);
  if (typeof value !== 'object' || value === null) return;
  const members = value as Found['holder'];
  for (const node of schema.anyOf ?? []) visit(node, holder, name, see);
  if (Array.isArray(value) && schema.items !== undefined)
    for (const at of value.keys()) visit(schema.items, members, at, see);
  else for (const [field, member] of Object.entries(schema.properties ?? {})) visit(member, members, field, see);
}

const isOrganization = ({ [OR_UUID_KEYWORD]: itself, anyOf = [] }: Node): boolean =>
  itself === true || anyOf.some(isOrganization);

/** True for a list of organizations, or one that may be null. */
const isList = ({ items, anyOf = [] }: Node): boolean =>
  (items !== undefined && isOrganization(items)) || anyOf.some(isList);

/** The largest id that is valid: counting from 1, no sequence gets there. */
const UNKNOWN = Number.MAX_SAFE_INTEGER;
