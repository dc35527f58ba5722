import type { TSchema } from 'typebox';
import { organizationsOfUuids } from '../../../modules/mirror/organization-of-uuid.ts';
import { OR_UUID_KEYWORD } from '../../../kernel/pure/schemas.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from './formats.ts';

type Node = TSchema & {
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  [OR_UUID_KEYWORD]?: boolean;
};

/** A UUID sent as an `OrganizationId`, and its position. */
type Found = { holder: Record<string | number, unknown>; name: string | number; uuid: string };

/**
 * Creates a function that replaces UUIDs of organizations by numbers before validation, unknown
 * ones by an unused number.
 */
export function organizationResolver(
  schema: TSchema | undefined,
): (deps: Pick<Deps, 'db'>, sent: unknown) => Promise<void> {
  if (schema === undefined || !namesOrganizations(schema)) return () => Promise.resolve();
  return async ({ db }, sent) => {
    const references: Found[] = [];
    visit(schema, { sent }, 'sent', (node, holder, name) => {
      const value = holder[name];
      if (typeof value === 'string' && isOrganization(node) && isUuid(value))
        references.push({ holder, name, uuid: value.toLowerCase() });
    });

    if (references.length === 0) return;
    const uuids = references.map((entry) => entry.uuid);
    const numbers = await organizationsOfUuids(db, [...new Set(uuids)]);
    for (const { holder, name, uuid } of references) holder[name] = numbers.get(uuid) ?? UNKNOWN;
  };
}

export type NamedOrganizations = {
  ids: number[];
  /** A null or empty field of organizations means all. */
  isForChain: boolean;
};

/**
 * Creates a reader of the organizations in a request. Must run after {@link organizationResolver}.
 */
export function organizationReader(
  schema: TSchema | undefined,
): (sent: unknown) => NamedOrganizations {
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

export const namesOrganizations = (schema: TSchema | undefined): boolean =>
  schema !== undefined && JSON.stringify(schema).includes(OR_UUID_KEYWORD);

type Visitor = (schema: Node, holder: Found['holder'], name: Found['name']) => void;

/** May visit several nodes of one value. */
function visit(schema: Node, holder: Found['holder'], name: Found['name'], see: Visitor): void {
  const value = holder[name];
  if (value === undefined) return;
  see(schema, holder, name);
  if (typeof value !== 'object' || value === null) return;
  const members = value as Found['holder'];
  for (const node of schema.anyOf ?? []) visit(node, holder, name, see);
  if (Array.isArray(value) && schema.items !== undefined)
    for (const at of value.keys()) visit(schema.items, members, at, see);
  else
    for (const [field, member] of Object.entries(schema.properties ?? {}))
      visit(member, members, field, see);
}

const isOrganization = ({ [OR_UUID_KEYWORD]: itself, anyOf = [] }: Node): boolean =>
  itself === true || anyOf.some(isOrganization);

const isList = ({ items, anyOf = [] }: Node): boolean =>
  (items !== undefined && isOrganization(items)) || anyOf.some(isList);

/** A valid id that no sequence reaches. */
const UNKNOWN = Number.MAX_SAFE_INTEGER;
