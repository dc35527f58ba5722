import type { MenuEntry, MenuFieldChange, MenuSectionDiff } from '../../schemas/snapshot.ts';
import { by } from '../../../../kernel/pure/lists.ts';

export type PublishedMenu = Readonly<Record<Section, readonly Entry[]>>;

type Section = 'products' | 'categories' | 'modifierGroups';

type Entry = {
  readonly id: number | string;
  readonly name: string;
  readonly [field: string]: unknown;
};

type Named = MenuEntry;

/** For example, `variants.12.price` is the price of variant 12. */
export type FieldChange = MenuFieldChange;

export type SectionDiff = MenuSectionDiff;
export type MenuDiff = Record<Section, SectionDiff>;

/** Changes with every stop. */
const NOT_CONTENT = 'available';

/**
 * Compares menus by id and field, ignoring revision, time and availability. A changed composition
 * is a different modifier group.
 */
export function diffMenus(before: PublishedMenu, after: PublishedMenu): MenuDiff {
  return {
    products: diffSection(before.products, after.products),
    categories: diffSection(before.categories, after.categories),
    modifierGroups: diffSection(before.modifierGroups, after.modifierGroups),
  };
}

function diffSection(before: readonly Entry[], after: readonly Entry[]): SectionDiff {
  const old = new Map(before.map((entry) => [entry.id, entry]));
  const now = new Map(after.map((entry) => [entry.id, entry]));
  const sorted = <T extends Named>(entries: T[]): T[] => entries.toSorted(by((entry) => entry.id));

  return {
    added: sorted(after.filter(({ id }) => !old.has(id)).map(named)),
    removed: sorted(before.filter(({ id }) => !now.has(id)).map(named)),
    changed: sorted(
      after.flatMap((entry) => {
        const previous = old.get(entry.id);
        const fields = previous === undefined ? [] : diffFields(previous, entry);
        return fields.length === 0 ? [] : [{ ...named(entry), fields }];
      }),
    ),
  };
}

function named({ id, name }: Entry): Named {
  return { id, name };
}

function diffFields(before: Entry, after: Entry): FieldChange[] {
  const [old, now] = [flat(before), flat(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .toSorted()
    .map((field) => ({ field, before: old.get(field) ?? null, after: now.get(field) ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

/** Lists with ids are compared by id; their order is a separate field. */
function flat(value: object, path = '', leaves = new Map<string, unknown>()): Map<string, unknown> {
  for (const [name, each] of Object.entries(value)) {
    if (name === NOT_CONTENT) continue;
    const field = path === '' ? name : `${path}.${name}`;
    if (isList(each)) {
      leaves.set(
        `${field}.order`,
        each.map(({ id }) => id),
      );

      for (const member of each) flat(member, `${field}.${member.id}`, leaves);
    } else if (typeof each === 'object' && each !== null && !Array.isArray(each))
      flat(each as object, field, leaves);
    else leaves.set(field, each);
  }

  return leaves;
}

function isList(value: unknown): value is readonly Entry[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((entry) => typeof entry === 'object' && entry !== null && 'id' in entry)
  );
}
