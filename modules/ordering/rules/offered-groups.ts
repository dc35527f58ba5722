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

/** Groups of a size in one external menu, without stops. */
type MenuGroups = {
  groups: readonly OfferedGroup[];
  required: readonly RequiredGroup[];
  /** Returns menu ids by group key if modifiers are omitted. */
  idsWithout: (isOut: (slot: Slot) => boolean) => ReadonlyMap<string, string>;
};

/** Reads the groups of a size in an external menu. */
export type SizeGroups = (externalMenuId: number) => MenuGroups;

/** Builds groups once per external menu, because their ids are digests. */
export function sizeGroups(itemSizeId: number, facts: GroupFacts, digest: Digest): SizeGroups {
  const readyByMenu = new Map<number, MenuGroups>();

  const build = (externalMenuId: number): MenuGroups => {
    const read = (leaveOut: (slot: Slot) => boolean) =>
      groupReader(facts, digest, leaveOut, () => null)({ externalMenuId, itemSizeId });
    const { groups, required } = read(() => false);

    return {
      groups: groups.map(toOfferedGroup),
      required,
      idsWithout: (isOut) =>
        new Map(read(isOut).groups.map(({ groupKey, group }) => [groupKey, group.id])),
    };
  };

  return (externalMenuId) => {
    const groups = readyByMenu.get(externalMenuId) ?? build(externalMenuId);
    readyByMenu.set(externalMenuId, groups);
    return groups;
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

/** Applies stops. `behavior` applies to stopped modifiers: ids differ if they are omitted. */
export function offeredGroups(
  { groups, required, idsWithout }: MenuGroups,
  { balance, behavior }: { balance: Balance; behavior: 'SHOW' | 'HIDE' },
): OfferedGroups {
  const isStopped = stoppedBy(balance);
  const stopped = groups.map((group) => stopModifiers(group, isStopped));
  const isAnyOut = stopped.some(({ modifiers }) =>
    modifiers.some(({ unavailable }) => unavailable !== null),
  );
  const isFilled = canBeFilled(required, balance);
  if (behavior === 'SHOW' || !isAnyOut) return { groups: stopped, isFilled };

  const ids = idsWithout(([item, size, isSellable]) => !isSellable || isStopped(item, size));

  return {
    groups: stopped.map((group) => ({
      ...group,
      groupId: ids.get(group.groupKey) ?? group.groupId,
    })),
    isFilled,
  };
}

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
