import type { Browser } from '../../../test/support/browser.ts';

export type Frames = { longestMs: number; longestTaskMs: number; count: number };

const BEGIN = `(() => {
  const frames = { longestMs: 0, longestTaskMs: 0, count: 0, isOver: false };
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) frames.longestTaskMs = Math.max(frames.longestTaskMs, duration);
  });
  observer.observe({ type: 'longtask' });
  let before = performance.now();
  const frame = () => {
    const now = performance.now();
    frames.longestMs = Math.max(frames.longestMs, now - before);
    frames.count += 1;
    before = now;
    if (!frames.isOver) requestAnimationFrame(frame);
  };
  requestAnimationFrame(() => { before = performance.now(); requestAnimationFrame(frame); });
  globalThis.benchFrames = { frames, observer };
})()`;

const END = `new Promise((resolve) => setTimeout(() => {
  const { frames, observer } = globalThis.benchFrames;
  frames.isOver = true;
  observer.disconnect();
  resolve({ longestMs: frames.longestMs, longestTaskMs: frames.longestTaskMs, count: frames.count });
}, 100))`;

export async function measureFrames(
  browser: Browser,
  action: () => Promise<void>,
): Promise<Frames> {
  await browser.run(BEGIN);
  await action();
  return browser.run<Frames>(END);
}

export const scroll = (browser: Browser): Promise<void> =>
  browser.run(`new Promise((resolve) => {
    const end = () => document.documentElement.scrollHeight - innerHeight;
    let [at, step] = [0, 240];
    const frame = () => {
      at += step;
      scrollTo(0, at);
      if (at >= end()) step = -240;
      if (at <= 0 && step < 0) resolve();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`);

const STEPS = 2_000_000;
/** Parts of the fixed work. The fastest part was not interrupted. */
const PARTS = 10;

const WORK = `(() => {
  const parts = [];
  for (let part = 0; part < ${PARTS}; part += 1) {
    const begun = performance.now();
    let sum = 0;
    for (let at = 0; at < ${STEPS}; at += 1) sum += at % 7;
    if (sum > 0) parts.push(performance.now() - begun);
  }
  return parts;
})()`;

/**
 * Returns how much other programs slow the page down: the time of fixed work as a multiple of its
 * fastest parts.
 */
export async function slowdown(browser: Browser): Promise<number> {
  const parts = await browser.run<number[]>(WORK);
  return parts.reduce((sum, part) => sum + part, 0) / (PARTS * Math.min(...parts));
}
