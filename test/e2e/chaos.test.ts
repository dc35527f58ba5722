import { describe, expect, test } from '@jest/globals';
import { StartFailure } from '../../platform/start-failure.ts';
import { resolveProductionTemporal } from '../../tools/production-temporal-binary.ts';
import { runChaos } from '../support/chaos/run-chaos.ts';
import { repetitions } from '../support/repetitions.ts';

const log = (line: string): void => void process.stderr.write(`chaos: ${line}\n`);
const isLong = repetitions(1) > 1;
const seed = Number(process.env['CHAOS_SEED'] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_121));
const killsEach = isLong ? repetitions(3) : 1;
const IDLE_LIMIT_MS = 60_000;

/**
 * Temporal's production server is in no package registry of Node: without Go and without a cached build there is nothing to kill. The
 * run then counts as skipped and says why; with CI=true it fails.
 */
const programs = await resolveProductionTemporal({ log }).catch((error: unknown) => {
  if (!(error instanceof StartFailure) || process.env['CI'] === 'true') throw error;
  log(error.message);
  return undefined;
});
const whereTemporalIsBuilt = programs === undefined ? describe.skip : describe;

whereTemporalIsBuilt('real processes on Temporal in production form', () => {
  test(
    `${killsEach} kills each of worker, API, PostgreSQL and Temporal lose nothing, show no partial menu and leave nothing behind (CHAOS_SEED=${seed})`,
    async () => {
      const report = await runChaos({
        programs: programs!,
        seed,
        killsEach,
        pauseMs: isLong ? [1_000, 6_000] : [500, 2_500],
        downMs: isLong ? [0, 3_000] : [0, 1_000],
        log,
      });
      log(JSON.stringify(report));

      expect(report.problems).toEqual([]);
      expect(report.differences).toEqual([]);
      expect(report.staleMenus).toEqual([]);
      expect(report.lostEdits).toEqual([]);
      expect(report.left).toEqual({});
      for (const [name, { kills }] of Object.entries(report.parts)) expect([name, kills]).toEqual([name, killsEach]);
      expect(report.watch.seen.menus).toBeGreaterThan(0);
      // A rule of the product, not a measure of this machine: with every part up, no crash leaves it waiting for somebody.
      expect(report.watch.longestIdleMs.anything).toBeLessThan(IDLE_LIMIT_MS);
    },
    60 * 60_000,
  );
});
