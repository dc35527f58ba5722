import { expect, test } from '@jest/globals';
import { planStatus, statusAt, type StatusPlan } from '../../../modules/delivery/rules/status.ts';
import { buildTimeline, DEFAULT_CONFIG } from '../../../modules/delivery/rules/timeline.ts';
import { generateFixture, WALKED_SEEDS, ZONES } from './generate.ts';
import { askable, buildClock, createOracle, type OracleInput } from './oracle.ts';

const YEAR = 2026;
const MINUTE = 60_000;
const MARGIN_DAYS = 40;

/** A plan that is computed again whenever it ends. */
function planner(fixture: OracleInput) {
  let plan: StatusPlan | undefined;
  return (at: number) => {
    if (plan === undefined || at >= plan.validTo || at < plan.validFrom) {
      const config = { ...DEFAULT_CONFIG, ...fixture.config };
      plan = planStatus({
        timeline: buildTimeline(fixture, at),
        config,
        flags: { ...fixture.flags, timedOrdersEnabled: true },
      });
    }
    return plan;
  };
}

test('[FUL-2, FUL-3, FUL-4, FUL-6] the status agrees with a simulation of every minute of a year', () => {
  const clocks = new Map(
    ZONES.map((zone) => [
      zone as string,
      buildClock(zone, Date.UTC(YEAR, 0, 1) - MARGIN_DAYS * 1_440 * MINUTE, 365 + 2 * MARGIN_DAYS),
    ]),
  );
  let compared = 0;
  const differences: unknown[] = [];
  for (const seed of WALKED_SEEDS) {
    const fixture = generateFixture(seed, YEAR);
    const clock = clocks.get(fixture.timeZone)!;
    const expected = createOracle(fixture, clock).status;
    const planOf = planner(fixture);
    const [from, to] = askable(clock);
    for (let i = from; i < to; i += 1) {
      const at = clock.start + i * MINUTE;
      const found = statusAt(planOf(at), at);
      const wanted = expected(i);
      if (!equal(found, wanted) && differences.length < 3) {
        const where = `schedule ${seed}, ${fixture.timeZone}, ${new Date(at).toISOString()}`;
        differences.push({ where, found: dated(found), wanted: dated(wanted) });
      }
      compared += 1;
    }
  }
  process.stdout.write(`${compared} minutes of ${WALKED_SEEDS.length} schedules\n`);
  expect(differences).toEqual([]);
  expect(compared).toBe(WALKED_SEEDS.length * 365 * 1_440);
}, 3_600_000);

type Found = ReturnType<typeof statusAt>;
type Wanted = ReturnType<ReturnType<typeof createOracle>['status']>;
const SIDES = ['delivery', 'pickup'] as const;

/** Compares fields: texts of a hundred million answers would take too long. */
const equal = (found: Found, wanted: Wanted): boolean =>
  found.open === wanted.open &&
  found.closingInMinutes === wanted.closingInMinutes &&
  found.nextChangeAt === wanted.nextChangeAt &&
  SIDES.every(
    (side) =>
      found[side].reason === wanted[side].reason &&
      found[side].accepting === (wanted[side].reason === null) &&
      found[side].opensAt === wanted[side].opensAt &&
      found[side].closesAt === wanted[side].closesAt,
  );

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const dated = (answer: Found | Wanted) => ({
  open: answer.open,
  closingInMinutes: answer.closingInMinutes,
  nextChangeAt: iso(answer.nextChangeAt),
  sides: SIDES.map((side) => [
    answer[side].reason,
    iso(answer[side].opensAt),
    iso(answer[side].closesAt),
  ]),
});
