import { expect, test } from '@jest/globals';
import { CLEARING_STATES, CLEARING_STEPS } from '../../../modules/gifts/rules/markers.ts';
import { GIFT_STAGES, giftStage, type GiftFacts } from '../../../modules/gifts/rules/gift-stage.ts';
import { readBlocks } from '../../../modules/gifts/rules/comment-blocks.ts';
import { ClearingModel, NAMES } from '../../support/gifts/clearing-model.ts';
import { wholeInSoak } from '../../support/repetitions.ts';

test('[CMP-15] the marker of a used right has exactly these transitions', () => {
  const ways = CLEARING_STATES.flatMap((from) =>
    Object.entries(CLEARING_STEPS).flatMap(([step, { from: states, to }]) =>
      (states as readonly string[]).includes(from) ? [`${from} ${step} ${to}`] : [],
    ),
  );

  expect(ways).toEqual([
    'TO_CLEAR CLEAR CLEARED',
    'TO_CLEAR HOLD HELD',
    'HELD CLEAR CLEARED',
    'HELD HOLD HELD',
  ]);
});

test('the state of the gift of an order has these stages', () => {
  const facts: GiftFacts = {
    status: 'RESERVED',
    reservedOrderId: 'o',
    redeemedOrderId: null,
    clearing: null,
  };
  const redeemed: GiftFacts = { ...facts, status: 'REDEEMED', redeemedOrderId: 'o' };
  const stages = [
    facts,
    { ...redeemed, clearing: 'TO_CLEAR' } as const,
    { ...redeemed, clearing: 'HELD' } as const,
    { ...redeemed, clearing: 'CLEARED' } as const,
    redeemed,
    { ...facts, status: 'GRANTED', reservedOrderId: null } as const,
    { ...facts, reservedOrderId: 'another' },
    { ...redeemed, redeemedOrderId: 'elsewhere', clearing: 'TO_CLEAR' } as const,
  ].map((entry) => giftStage(entry, 'o'));

  expect(stages).toEqual([
    'RESERVED',
    'TO_CLEAR',
    'TO_CLEAR',
    'CLEARED',
    'CLEARED',
    'RETURNED',
    'RETURNED',
    'TAKEN',
  ]);
  expect(new Set(stages)).toEqual(new Set(GIFT_STAGES));
});

test.each(['ERP_CATEGORY', 'ERP_COMMENT'] as const)(
  '[CMP-14, CMP-18, CMP-84] %s: only blocks of used rights are removed, and all of them, despite edits',
  async (source) => {
    const tally: Record<string, number> = {};
    const runs = wholeInSoak(20_000, 1_000);
    for (let seed = 1; seed <= runs; seed += 1) {
      const model = new ClearingModel(source, seed, tally);
      await model.live(12);
      const present = model.known.filter(({ isPresent }) => isPresent);
      const blocks = readBlocks(model.comment).blocks.filter(({ name }) => NAMES.includes(name));
      const there = source === 'ERP_COMMENT' ? blocks.length : model.categories.size;
      expect({ seed, waiting: model.waiting(), there }).toEqual({
        seed,
        waiting: undefined,
        there: present.length,
      });
      // A removal by people during a lost write resembles ours.
      tally['mistaken'] = (tally['mistaken'] ?? 0) + model.mistaken;
      for (const word of model.words) expect(model.comment).toContain(word);
    }

    for (const needed of [
      'granted',
      'used',
      'changes',
      'cleared',
      'killed',
      'held ERP_UNAVAILABLE',
    ])
      expect(tally).toHaveProperty([needed]);
    expect(tally['mistaken']).toBeLessThan(runs / 100);
    // A category exists once.
    expect(Object.hasOwn(tally, 'counted out')).toBe(source === 'ERP_COMMENT');
    process.stdout.write(`${source}, ${runs} runs: ${JSON.stringify(tally)}\n`);
  },
);
