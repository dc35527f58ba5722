import type { Browser } from '../../../test/support/browser.ts';

/** An emulated network: milliseconds per request, bits per second. */
export type Network = { latency: number; bits: number };

/** Records when the first screen has its data, and the end of the last long task. */
const WATCH = `(() => {
  globalThis.benchReady = { at: null, taskEnd: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      benchReady.taskEnd = Math.max(benchReady.taskEnd, startTime + duration);
  }).observe({ type: 'longtask', buffered: true });
  const isReady = () =>
    document.querySelector('main h1') !== null && document.querySelector('main [role=status][aria-label]') === null;
  new MutationObserver(() => {
    if (!isReady()) benchReady.at = null;
    else benchReady.at ??= performance.now();
  }).observe(document, { childList: true, subtree: true });
})()`;

export const watchLoads = (browser: Browser): Promise<void> =>
  browser.command('Page.addScriptToEvaluateOnNewDocument', { source: WATCH });

const QUIET_MS = 1_000;

/** Emulates the network. Null restores the real network and the cache. */
export async function setNetwork(browser: Browser, network: Network | null): Promise<void> {
  const speed = network === null ? -1 : network.bits / 8;
  await browser.command('Network.enable');
  await browser.command('Network.setCacheDisabled', { cacheDisabled: network !== null });
  await browser.command('Network.emulateNetworkConditions', {
    offline: false,
    latency: network?.latency ?? 0,
    downloadThroughput: speed,
    uploadThroughput: speed,
  });
}

/**
 * Milliseconds from the navigation until the first screen has its data and no long task follows
 * within a second.
 */
export async function interactiveMs(browser: Browser, url: string): Promise<number> {
  await browser.open('about:blank');
  await browser.open(url);
  await browser.until(
    'the page is quiet',
    `globalThis.benchReady?.at && performance.now() > Math.max(benchReady.at, benchReady.taskEnd) + ${QUIET_MS}`,
  );

  return browser.run('Math.max(benchReady.at, benchReady.taskEnd)');
}
