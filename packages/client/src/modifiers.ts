import type {
  Menu,
  MenuModifier,
  MenuModifierGroup,
  MenuVariant,
  PostedCartModifier,
} from './generated/public.ts';

/** A menu, or a part of it with the groups. */
type Groups = Pick<Menu, 'modifierGroups'>;
type Sized = Pick<MenuVariant, 'modifierGroupIds'>;

export type ModifierProblem = {
  /** `TOO_FEW` and `TOO_MANY` violate `min` or `max`. `UNAVAILABLE` is sold out. */
  code: 'TOO_FEW' | 'TOO_MANY' | 'UNAVAILABLE';
  group: MenuModifierGroup;
  /** Null if the number of units in the group is wrong. */
  modifier: MenuModifier | null;
  min: number;
  /** Null if there is no maximum. */
  max: number | null;
};

/** Returns the modifier groups of a variant, in its order. */
export function groupsOf(menu: Groups, { modifierGroupIds }: Sized): MenuModifierGroup[] {
  const groups = new Map(menu.modifierGroups.map((group) => [group.id, group]));
  return modifierGroupIds.flatMap((id) => groups.get(id) ?? []);
}

/**
 * Returns the default units and, in a group that requires more, the cheapest available modifiers.
 * {@link problemsOf} reports groups that cannot be filled.
 */
export const defaultModifiers = (menu: Groups, variant: Sized): PostedCartModifier[] =>
  groupsOf(menu, variant).flatMap((group) =>
    [...defaultUnits(group)].map(([{ id }, quantity]) => ({
      groupId: group.id,
      modifierId: id,
      quantity,
    })),
  );

function defaultUnits({ min, max, modifiers }: MenuModifierGroup): Map<MenuModifier, number> {
  const available = modifiers.filter((modifier) => modifier.available);
  const units = new Map<MenuModifier, number>();
  const sum = () => [...units.values()].reduce((total, count) => total + count, 0);

  for (const modifier of available) {
    const count = Math.max(modifier.min ?? 0, modifier.isDefault ? 1 : 0);
    if (count > 0 && sum() + count <= max) units.set(modifier, count);
  }

  for (const modifier of [...available].sort((one, other) => one.price - other.price)) {
    const had = units.get(modifier) ?? 0;
    const count = Math.min(had + Math.max(min - sum(), 0), modifier.max ?? max);
    if (count > had) units.set(modifier, count);
  }

  return units;
}

/**
 * Returns everything that prevents an order of the chosen modifiers. A group without an entry has
 * its default units, as at the server; `quantity: 0` declines them.
 */
export function problemsOf(
  menu: Groups,
  variant: Sized,
  chosen: readonly PostedCartModifier[],
): ModifierProblem[] {
  return groupsOf(menu, variant).flatMap((group) => {
    const own = chosen.filter(({ groupId }) => groupId === group.id);
    const countUnits = ({ id, isDefault, available }: MenuModifier): number =>
      own.length === 0
        ? Number(isDefault && available)
        : own.reduce(
            (sum, { modifierId, quantity }) => sum + (modifierId === id ? quantity : 0),
            0,
          );

    const total = group.modifiers.reduce((sum, modifier) => sum + countUnits(modifier), 0);

    return [
      ...outside(total, group.min, group.max, group, null),
      ...group.modifiers.flatMap((modifier) => {
        const units = countUnits(modifier);
        if (units > 0 && !modifier.available)
          return [buildProblem('UNAVAILABLE', group, modifier, 0, 0)];
        return outside(units, modifier.min ?? 0, modifier.max ?? null, group, modifier);
      }),
    ];
  });
}

const buildProblem = (
  code: ModifierProblem['code'],
  group: MenuModifierGroup,
  modifier: MenuModifier | null,
  min: number,
  max: number | null,
): ModifierProblem => ({ code, group, modifier, min, max });

function outside(
  units: number,
  min: number,
  max: number | null,
  group: MenuModifierGroup,
  modifier: MenuModifier | null,
): ModifierProblem[] {
  if (units < min) return [buildProblem('TOO_FEW', group, modifier, min, max)];
  return max !== null && units > max ? [buildProblem('TOO_MANY', group, modifier, min, max)] : [];
}
