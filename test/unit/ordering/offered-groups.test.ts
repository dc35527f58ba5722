import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { balanceRule } from '../../../modules/menus/rules/offers/stops.ts';
import { offeredGroups, sizeGroups } from '../../../modules/ordering/rules/offered-groups.ts';
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

const MODIFIERS = [101, 102, 103];
const facts = {
  groups: [group(10, 1), group(20, 1, { groupKey: 'cheese', position: 1, min: 1 })],
  links: [...MODIFIERS.map((id) => link(10, id)), link(20, 103), link(20, 104)],
  modifiers: [...MODIFIERS.map((id) => modifier(id)), modifier(104, { isLive: false })],
};
const menu = menuFacts(facts);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('[ORD-164] groups that stay in memory have the ids and stops of the menu that guests see', () => {
  const read = sizeGroups(1, menu, sha256);

  fc.assert(
    fc.property(
      fc.subarray(MODIFIERS),
      fc.constantFrom('SHOW' as const, 'HIDE' as const),
      (stopped, behavior) => {
        const rows = stopped.map((id) => stopRow(uuid(id)));
        const shown = assemble({
          ...menu,
          stops: stops({ rows }),
          stoplistBehaviour: behavior,
        }).content.modifierGroups;
        const { groups, isFilled } = offeredGroups(read(1), {
          balance: balanceRule(stops({ rows })),
          behavior,
        });
        const offered = groups.flatMap(({ groupId, modifiers }) =>
          modifiers.map(({ modifierId, unavailable }) => ({ groupId, modifierId, unavailable })),
        );
        const available = offered.filter(({ unavailable }) => unavailable === null);
        const isStopped = (id: string) => rows.some(({ itemErpId }) => itemErpId === id);

        // A dish whose required group cannot be filled is not in a menu that hides stopped dishes.
        expect(isFilled).toBe(!stopped.includes(103));
        expect(offered.map(({ unavailable }) => unavailable)).toEqual(
          offered.map(({ modifierId }) =>
            modifierId === uuid(104) ? 'NOT_IN_MENU' : isStopped(modifierId) ? 'STOP_LIST' : null,
          ),
        );
        if (behavior === 'HIDE' && !isFilled) return;
        expect(
          available.map(({ groupId, modifierId }) => `${groupId} ${modifierId}`).toSorted(),
        ).toEqual(
          shown
            .flatMap(({ id, modifiers }) =>
              modifiers
                .filter((entry) => entry.available && !isStopped(entry.id))
                .map((entry) => `${id} ${entry.id}`),
            )
            .toSorted(),
        );
      },
    ),
  );
});

test('[ORD-164] groups are built once per external menu while none of their modifiers is omitted', () => {
  let digests = 0;
  const read = sizeGroups(1, menu, (text) => {
    digests += 1;
    return sha256(text);
  });
  const ask = (behavior: 'SHOW' | 'HIDE') =>
    offeredGroups(read(1), { balance: () => Infinity, behavior }).groups.length;
  const asked = [ask('SHOW'), digests, ask('SHOW'), digests, ask('HIDE'), digests];

  // The modifier that is not sold is omitted by HIDE, so ids are built again.
  expect(asked).toEqual([2, 2, 2, 2, 2, 4]);
});
