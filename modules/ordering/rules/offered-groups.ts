import { canBeFilled, type RequiredGroup } from '../../menus/rules/offers/required-groups.ts';
import { stoppedBy, type Balance, type IsStopped } from '../../menus/rules/offers/stops.ts';
import type { Slot } from '../../menus/rules/snapshot/availability.ts';
import {
  groupReader,
  type BuiltGroup,
  type Digest,
  type GroupFacts,
} from '../../menus/rules/snapshot/modifier-groups.ts';
import type { OfferedGroup } from './modifier-choice.ts';

type IsOut = (itemErpId: string, sizeErpId: string) => boolean;

/** Groups of a size in its menu, before stops apply. */
export type SizeGroups = {
  groups: readonly OfferedGroup[];
  required: readonly RequiredGroup[];
  /** Returns the ids of groups in a menu without unavailable modifiers, by group key. */
  idsWithout: (isOut: IsOut) => ReadonlyMap<string, string>;
};

type Size = { itemSizeId: number; externalMenuId: number };

export const NO_GROUPS: SizeGroups = { groups: [], required: [], idsWithout: () => new Map() };

/** Builds the groups of a size. Their ids are digests, so keep the result. */
export function buildSizeGroups(size: Size, facts: GroupFacts, digest: Digest): SizeGroups {
  const read = (leaveOut: (slot: Slot) => boolean) =>
    groupReader(facts, digest, leaveOut, () => null)(size);
  const all = read(() => false);
  const slots = all.groups.flatMap((built) => built.slots);
  let last: { out: string; ids: ReadonlyMap<string, string> } | undefined;

  return {
    groups: all.groups.map(toOfferedGroup),
    required: all.required,
    idsWithout(isOut) {
      const isLeftOut = ([item, erpSize, isSellable]: Slot) => !isSellable || isOut(item, erpSize);
      const out = slots.map((slot) => Number(isLeftOut(slot))).join('');
      if (last?.out === out) return last.ids;

      const shown = read(isLeftOut).groups;
      const ids = new Map(shown.map(({ groupKey, group }) => [groupKey, group.id]));
      last = { out, ids };

      return ids;
    },
  };
}

const toOfferedGroup = ({ groupKey, group, slots, defaults }: BuiltGroup): OfferedGroup => ({
  groupId: group.id,
  groupKey,
  name: group.name,
  min: group.min,
  max: group.max,
  free: group.free,
  modifiers: group.modifiers.map((modifier, at) => {
    const [, sizeErpId, isSellable] = slots[at]!;
    return {
      modifierId: modifier.id,
      sizeErpId,
      name: modifier.name,
      priceKopecks: modifier.price,
      unavailable: isSellable ? null : 'NOT_IN_MENU',
      min: modifier.min ?? null,
      max: modifier.max ?? null,
      free: modifier.free ?? 0,
      default: defaults[at]!,
    };
  }),
});

/** `isFilled`: the stock suffices for the required groups. */
export type OfferedGroups = { groups: readonly OfferedGroup[]; isFilled: boolean };

/** Applies stops. HIDE omits unavailable modifiers from menus, which changes the ids of groups. */
export function offeredGroups(
  { groups, required, idsWithout }: SizeGroups,
  { balance, behavior }: { balance: Balance; behavior: 'SHOW' | 'HIDE' },
): OfferedGroups {
  const isStopped = stoppedBy(balance);
  const offered = groups.map((group) => stopModifiers(group, isStopped));
  const isFilled = canBeFilled(required, balance);
  if (behavior === 'SHOW' || offered.every(isComplete)) return { groups: offered, isFilled };

  const ids = idsWithout(isStopped);

  return {
    groups: offered.map((group) => ({
      ...group,
      groupId: ids.get(group.groupKey) ?? group.groupId,
    })),
    isFilled,
  };
}

const isComplete = ({ modifiers }: OfferedGroup): boolean =>
  modifiers.every(({ unavailable }) => unavailable === null);

function stopModifiers(group: OfferedGroup, isStopped: IsStopped): OfferedGroup {
  const isNew = group.modifiers.map(
    ({ unavailable, modifierId, sizeErpId }) =>
      unavailable === null && isStopped(modifierId, sizeErpId),
  );
  if (!isNew.includes(true)) return group;

  return {
    ...group,
    modifiers: group.modifiers.map((modifier, at) =>
      isNew[at] === true ? { ...modifier, unavailable: 'STOP_LIST' } : modifier,
    ),
  };
}
