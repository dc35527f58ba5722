import { describe, expect, test } from '@jest/globals';
import { operatorMoveErrors } from '../../../modules/binding/rules/operator-moves.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const DAY_MS = 86_400_000;
const at = (ms: number) => new Date(NOW + ms).toISOString();
const codes = (until: string) =>
  operatorMoveErrors('snooze', { by: 'Anna', note: 'x', until }, NOW).map(
    ({ field, code }) => `${field} ${code}`,
  );

describe('the move of an operator', () => {
  test('[BND-21] snoozes until a moment within 366 days', () => {
    expect([codes(at(1)), codes(at(366 * DAY_MS))]).toEqual([[], []]);
    expect([codes(at(0)), codes(at(-1))]).toEqual([['until min'], ['until min']]);
    expect(codes(at(366 * DAY_MS + 1))).toEqual(['until max']);
    expect(codes('2026-12-01')).toEqual(['until format']);
  });

  test('[BND-27] rebinds to an id of a size', () => {
    const input = { by: 'Anna', note: 'x' };

    expect(operatorMoveErrors('rebind', { ...input, erpItemSizeId: 7 }, NOW)).toEqual([]);
    expect(operatorMoveErrors('rebind', input, NOW)).toEqual([
      { field: 'erpItemSizeId', code: 'required', message: 'is required' },
    ]);
    expect(
      operatorMoveErrors('rebind', { ...input, erpItemSizeId: 7, note: 'a'.repeat(501) }, NOW),
    ).toMatchObject([{ field: 'note', code: 'max_length' }]);
  });
});
