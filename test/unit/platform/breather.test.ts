import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createBreather } from '../../../platform/breather.ts';

const now = performance.now.bind(performance);
let time: number;
beforeEach(() => {
  time = 0;
  performance.now = () => time;
});
afterEach(() => {
  performance.now = now;
});

test('[CAT-57] a long calculation lets other requests run after each 10 ms of work', async () => {
  const breathe = createBreather();
  const waited: number[] = [];
  for (let step = 1; step <= 30; step += 1) {
    time = step;
    const turn = breathe();
    if (turn !== undefined) waited.push(step);
    await turn;
  }

  expect(waited).toEqual([10, 20, 30]);
});
