import { pauseOrOnline } from '../data/live.ts';

const PAUSE_MS = 2_000;

/**
 * Loads the code of a screen. While the server cannot be reached, waits and tries again, so that
 * the current page stays with what was typed. Throws if the server works but has no such file: a
 * new release has removed it, and the router reloads the page once.
 */
export async function loadScreen<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await isReachable()) throw error;

      await pauseOrOnline(PAUSE_MS);
    }
  }
}

async function isReachable(): Promise<boolean> {
  try {
    const { status } = await fetch('/console/', { cache: 'no-store' });
    return status < 500 && status !== 429;
  } catch {
    return false;
  }
}
