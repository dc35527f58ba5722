import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { balanceRule } from '../../../modules/menus/rules/offers/stops.ts';
import { buildSizeGroups, offeredGroups } from '../../../modules/ordering/rules/offered-groups.ts';
import {
  assemble,
  group,
  link,
  menuFacts,
  modifier,
  stopRow,
  stops,
  uuid,
} from '../menus/facts-builder.ts';

const SIZE = { itemSizeId: 1, externalMenuId: 1 };
/** The last one has a size; the ERP does not sell the one before it. */
const [NOT_SOLD, SIZED] = [104, 105];
const MODIFIERS = [101, 102, 103, NOT_SOLD, SIZED];
const facts = {
  groups: [
    group(10, 1, { max: 4, free: 1 }),
    group(20, 1, { groupKey: 'cheese', position: 1 }),
    group(30, 1, { groupKey: 'crust', position: 2, min: 1, max: 1 }),
  ],
  links: [
    link(10, 101, { max: 3, free: 1, default: 1 }),
    link(10, 102),
    link(10, NOT_SOLD),
    link(20, 103),
    link(30, 102),
    link(30, SIZED, { default: 1 }),
  ],
  modifiers: MODIFIERS.map((id) =>
    modifier(id, {
      priceKopecks: id * 100,
      isLive: id !== NOT_SOLD,
      sizeErpId: id === SIZED ? uuid(1) : '',
    }),
  ),
};
const menu = menuFacts(facts);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const stopped = fc.record({
  some: fc.subarray(MODIFIERS),
  sizeErpId: fc.constantFrom('', uuid(1), uuid(2)),
});

test('[ORD-164] groups that stay in memory are those of the menu that guests see', () => {
  const groups = buildSizeGroups(SIZE, menu, sha256);

  fc.assert(
    fc.property(stopped, fc.constantFrom('SHOW', 'HIDE'), ({ some, sizeErpId }, behavior) => {
      const stopFacts = stops({ rows: some.map((id) => stopRow(uuid(id), { sizeErpId })) });
      const balance = balanceRule(stopFacts);
      const offered = offeredGroups(groups, { balance, behavior });
      const shown = assemble({ ...menu, stops: stopFacts, stoplistBehaviour: behavior }).content;
      const [variant] = shown.products[0]?.variants ?? [];

      expect(offered.groups.map(({ groupKey }) => groupKey)).toEqual(['sauces', 'cheese', 'crust']);
      // A menu that hides unavailable dishes has no dish whose required group cannot be filled.
      expect(variant === undefined).toBe(behavior === 'HIDE' && !offered.isFilled);
      if (variant === undefined) return;
      const menuGroups = new Map(shown.modifierGroups.map((each) => [each.id, each]));
      const compared = offered.groups
        .map(({ groupId, min, max, free, modifiers }) => ({
          id: groupId,
          limits: [min, max, free],
          modifiers: modifiers
            .filter(({ unavailable }) => behavior === 'SHOW' || unavailable === null)
            .map((each) => [each.modifierId, each.priceKopecks, each.min, each.max, each.free]),
        }))
        .filter(({ modifiers }) => modifiers.length > 0);

      expect(compared).toEqual(
        variant.modifierGroupIds.map((id) => {
          const { min, max, free, modifiers } = menuGroups.get(id)!;
          return {
            id,
            limits: [min, max, free],
            modifiers: modifiers.map((each) => [
              each.id,
              each.price,
              each.min ?? null,
              each.max ?? null,
              each.free ?? 0,
            ]),
          };
        }),
      );
      for (const { modifiers } of offered.groups)
        for (const { modifierId, sizeErpId: size, unavailable } of modifiers)
          expect([modifierId, unavailable]).toEqual([
            modifierId,
            modifierId === uuid(NOT_SOLD)
              ? 'NOT_IN_MENU'
              : balance(modifierId, size) < 1
                ? 'STOP_LIST'
                : null,
          ]);
    }),
  );
});

test('[ORD-164] ids of groups are computed once for each list of omitted modifiers', () => {
  let digests = 0;
  const counted = (text: string) => {
    digests += 1;
    return sha256(text);
  };
  const sold = { ...menu, modifiers: menu.modifiers.map((each) => ({ ...each, isLive: true })) };
  const groups = buildSizeGroups(SIZE, sold, counted);
  const ask = (behavior: 'SHOW' | 'HIDE', id?: number) => {
    const before = digests;
    const rows = id === undefined ? [] : [stopRow(uuid(id))];
    offeredGroups(groups, { balance: balanceRule(stops({ rows })), behavior });
    return digests - before;
  };

  expect(digests).toBe(3);
  expect([ask('SHOW'), ask('SHOW', 101), ask('HIDE')]).toEqual([0, 0, 0]);
  // The stopped modifier is alone in its group, so this group has no id.
  expect([ask('HIDE', 103), ask('HIDE', 103), ask('HIDE', 101), ask('HIDE')]).toEqual([2, 0, 3, 0]);
});
