import { describe, expect, test } from '@jest/globals';
import { mdOneWaitMs, offeredLoad, randomOf, simulate, type Flow } from '../../../bench/support/queues.ts';

const SECONDS = 10_000;
const flow = (perSecond: number, steps: Flow['steps'], name = 'job'): Flow => ({ name, perSecond, steps });
const run = (flows: readonly Flow[], servers = 1, seed = 7) =>
  simulate({ resources: { server: { servers } }, flows, seconds: SECONDS, seed });

describe('offered load', () => {
  test('adds the work of all flows and divides it among the servers', () => {
    const flows = [
      flow(10, [
        { resource: 'api', ms: 16 },
        { resource: 'database', ms: 20 },
      ]),
      flow(2, [{ resource: 'database', ms: 100 }]),
    ];
    const load = offeredLoad({ api: { servers: 2 }, database: { servers: 1 }, idle: { servers: 1 } }, flows);
    expect(load['api']).toBeCloseTo(0.08);
    expect(load['database']).toBeCloseTo(0.4);
    expect(load['idle']).toBe(0);
  });
});

describe('M/D/1', () => {
  test('gives the wait of the Pollaczek-Khinchine formula', () => {
    expect(mdOneWaitMs(5, 100)).toBeCloseTo(50);
    expect(mdOneWaitMs(8, 100)).toBeCloseTo(200);
  });

  test('waits without end at a saturated server', () => {
    expect(mdOneWaitMs(10, 100)).toBe(Infinity);
  });
});

describe('simulation', () => {
  test.each([3, 5, 8])('agrees within 5 %% with M/D/1 at %i arrivals of 100 ms a second', (perSecond) => {
    const { jobs, utilization } = run([flow(perSecond, [{ resource: 'server', ms: 100 }])]);
    const waitMs = jobs['job']!.meanMs - 100;
    expect(Math.abs(waitMs / mdOneWaitMs(perSecond, 100) - 1)).toBeLessThan(0.05);
    expect(utilization['server']).toBeCloseTo(perSecond / 10, 1);
  });

  test('agrees with the offered load of several servers', () => {
    const flows = [flow(30, [{ resource: 'server', ms: 100 }])];
    const { utilization } = run(flows, 4);
    expect(utilization['server']).toBeCloseTo(offeredLoad({ server: { servers: 4 } }, flows)['server']!, 2);
  });

  test('keeps urgent jobs short while the server is overloaded by others', () => {
    const { jobs } = run([
      flow(2, [{ resource: 'server', ms: 100, priority: 0 }], 'urgent'),
      flow(20, [{ resource: 'server', ms: 100, priority: 3 }], 'other'),
    ]);
    expect(jobs['urgent']!.p95Ms).toBeLessThan(400);
    expect(jobs['other']!.ended).toBeLessThan(jobs['other']!.arrived / 2);
  });

  test('takes steps one after the other', () => {
    const resources = { first: { servers: 1 }, second: { servers: 1 } };
    const steps = [
      { resource: 'first', ms: 30 },
      { resource: 'second', ms: 70 },
    ];
    const { jobs } = simulate({ resources, flows: [flow(0.01, steps)], seconds: SECONDS, seed: 1 });
    expect(jobs['job']!.p50Ms).toBeCloseTo(100);
  });

  test('gives equal results for equal seeds and others for another seed', () => {
    const flows = [flow(5, [{ resource: 'server', ms: 100 }])];
    expect(run(flows)).toEqual(run(flows));
    expect(run(flows, 1, 8)).not.toEqual(run(flows));
  });

  test('draws numbers between 0 and 1 with their mean in the middle', () => {
    const random = randomOf(3);
    const numbers = Array.from({ length: 10_000 }, random);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(numbers.reduce((sum, one) => sum + one, 0) / numbers.length).toBeCloseTo(0.5, 1);
  });
});
