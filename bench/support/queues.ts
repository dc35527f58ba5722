import { quantile } from './steady.ts';

/** `servers` requests are served at once, each class of `priority` before the higher numbers. */
export type Resources = Readonly<Record<string, { servers: number }>>;
/** A visit to a resource; `ms` is the time that it occupies one server there. */
type Step = { resource: string; ms: number; priority?: number };
/** Jobs that arrive at random, `perSecond` on average, and take their steps one after the other. */
export type Flow = { name: string; perSecond: number; steps: readonly Step[] };

type Simulated = {
  /** Share of the time in which the servers of a resource are busy. */
  utilization: Record<string, number>;
  /** Milliseconds from arrival to the end of the last step, of the jobs that ended. */
  jobs: Record<string, { arrived: number; ended: number; meanMs: number; p50Ms: number; p95Ms: number }>;
};

/** The load that the flows offer to each resource; above 1 its queue grows without end. */
export function offeredLoad(resources: Resources, flows: readonly Flow[]): Record<string, number> {
  const load = Object.fromEntries(Object.keys(resources).map((name) => [name, 0]));
  for (const { perSecond, steps } of flows)
    for (const { resource, ms } of steps)
      load[resource] = load[resource]! + (perSecond * ms) / 1_000 / resources[resource]!.servers;
  return load;
}

/**
 * Mean wait in ms of random arrivals at one server with a fixed service time (M/D/1). Infinity when
 * it is saturated.
 */
export function mdOneWaitMs(perSecond: number, serviceMs: number): number {
  const load = (perSecond * serviceMs) / 1_000;
  return load >= 1 ? Infinity : (load * serviceMs) / (2 * (1 - load));
}

/** Random numbers in [0, 1) that are equal for equal seeds (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Job = { flow: Flow; arrivedMs: number; step: number };
/** `head` is the first job that still waits: taking it away would move all others. */
type Line = { jobs: Job[]; head: number };
type Server = { free: number; busyMs: number; waiting: Map<number, Line> };

/** Simulates the flows for `seconds`, from empty queues. Equal seeds give equal results. */
export function simulate(options: {
  resources: Resources;
  flows: readonly Flow[];
  seconds: number;
  seed: number;
}): Simulated {
  const { resources, flows, seconds } = options;
  const random = randomOf(options.seed);
  const untilMs = seconds * 1_000;
  const servers = Object.fromEntries(
    Object.entries(resources).map(([name, one]): [string, Server] => [
      name,
      { free: one.servers, busyMs: 0, waiting: new Map() },
    ]),
  );
  const times = Object.fromEntries(flows.map(({ name }): [string, number[]] => [name, []]));
  const arrived = Object.fromEntries(flows.map(({ name }) => [name, 0]));
  const agenda = createAgenda();

  const arrive = (flow: Flow, atMs: number): void => {
    const nextMs = atMs - (Math.log(1 - random()) * 1_000) / flow.perSecond;
    if (nextMs >= untilMs) return;
    agenda.add(nextMs, () => {
      arrived[flow.name]! += 1;
      begin({ flow, arrivedMs: nextMs, step: 0 }, nextMs);
      arrive(flow, nextMs);
    });
  };
  const begin = (job: Job, nowMs: number): void => {
    const step = job.flow.steps[job.step];
    if (step === undefined) return void times[job.flow.name]!.push(nowMs - job.arrivedMs);
    const server = servers[step.resource]!;
    if (server.free > 0) return serve(server, job, step, nowMs);
    const { priority = 0 } = step;
    const line = server.waiting.get(priority);
    if (line === undefined) server.waiting.set(priority, { jobs: [job], head: 0 });
    else line.jobs.push(job);
  };
  const serve = (server: Server, job: Job, step: Step, nowMs: number): void => {
    server.free -= 1;
    server.busyMs += Math.min(step.ms, untilMs - nowMs);
    agenda.add(nowMs + step.ms, () => {
      server.free += 1;
      const next = takeNext(server);
      if (next !== undefined) serve(server, next, next.flow.steps[next.step]!, nowMs + step.ms);
      begin({ ...job, step: job.step + 1 }, nowMs + step.ms);
    });
  };

  for (const flow of flows) if (flow.perSecond > 0) arrive(flow, 0);
  agenda.runUntil(untilMs);
  return {
    utilization: Object.fromEntries(
      Object.entries(servers).map(([name, { busyMs }]) => [name, busyMs / untilMs / resources[name]!.servers]),
    ),
    jobs: Object.fromEntries(
      flows.map(({ name }) => {
        const ms = times[name]!;
        const meanMs = ms.reduce((sum, one) => sum + one, 0) / ms.length;
        return [
          name,
          { arrived: arrived[name]!, ended: ms.length, meanMs, p50Ms: quantile(ms, 0.5), p95Ms: quantile(ms, 0.95) },
        ];
      }),
    ),
  };
}

function takeNext({ waiting }: Server): Job | undefined {
  const busy = [...waiting].filter(([, { jobs, head }]) => head < jobs.length);
  const [first] = busy.toSorted(([one], [other]) => one - other);
  return first?.[1].jobs[first[1].head++];
}

/** Events in the order of their times: a binary heap. */
function createAgenda() {
  const heap: { atMs: number; run: () => void }[] = [];
  const swap = (one: number, other: number): void => {
    [heap[one], heap[other]] = [heap[other]!, heap[one]!];
  };
  const isEarlier = (one: number, other: number): boolean => heap[one]!.atMs < heap[other]!.atMs;
  const pop = () => {
    swap(0, heap.length - 1);
    const first = heap.pop()!;
    for (let at = 0; ;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && isEarlier(child, least)) least = child;
      if (least === at) return first;
      swap(at, least);
      at = least;
    }
  };
  return {
    add(atMs: number, run: () => void): void {
      heap.push({ atMs, run });
      for (let at = heap.length - 1; at > 0 && isEarlier(at, (at - 1) >> 1); at = (at - 1) >> 1)
        swap(at, (at - 1) >> 1);
    },
    /** Runs what is due before that time; the rest is dropped. */
    runUntil(untilMs: number): void {
      while (heap.length > 0) {
        const { atMs, run } = pop();
        if (atMs >= untilMs) return;
        run();
      }
    },
  };
}
