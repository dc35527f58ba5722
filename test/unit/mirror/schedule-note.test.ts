import { describe, expect, test } from '@jest/globals';
import {
  isPausedElsewhere,
  noteElsewhere,
  wantedState,
} from '../../../modules/mirror/schedules/schedule-note.ts';

const running = { paused: false, note: 'definition abc' };
const pause = { pauseId: 7, reason: 'the kitchen moves' };
const ours = { paused: true, note: 'definition abc; paused by pause 7: the kitchen moves' };
const elsewhere = { paused: true, note: 'definition abc; paused elsewhere: maintenance' };

describe('the expected state of a schedule', () => {
  test.each([
    ['a new one runs', undefined, undefined, running],
    ['a new one with a pause is paused', undefined, pause, ours],
    ['one that runs goes on', running, undefined, running],
    ['a row pauses one that runs', running, pause, ours],
    ['the end of the row lets it run', ours, undefined, running],
    [
      'a pause made in Temporal is kept with its words',
      { paused: true, note: 'maintenance' },
      undefined,
      elsewhere,
    ],
    ['a kept pause stays unchanged', elsewhere, undefined, elsewhere],
    [
      'also when the definition has changed',
      { ...elsewhere, note: elsewhere.note.replace('abc', '0123') },
      undefined,
      elsewhere,
    ],
    ['a row takes it over', elsewhere, pause, ours],
    ['lifted in Temporal, it runs', { paused: false, note: 'lifted' }, undefined, running],
    [
      'paused in Temporal without a word',
      { paused: true },
      undefined,
      { paused: true, note: 'definition abc; paused elsewhere: ' },
    ],
  ])('%s', (_, present, row, wanted) => {
    expect(wantedState('abc', present, row)).toEqual(wanted);
    expect(wantedState('abc', wanted, row)).toEqual(wanted);
  });

  test('keeps the source of a pause', () => {
    expect([running, ours, elsewhere, { paused: true, note: 'x' }].map(isPausedElsewhere)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect([noteElsewhere(elsewhere), noteElsewhere({ note: 'x' }), noteElsewhere({})]).toEqual([
      'maintenance',
      'x',
      '',
    ]);
  });
});
