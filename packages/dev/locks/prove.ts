import { readFile, writeFile, cp, mkdir, realpath, symlink } from 'node:fs/promises';
import { join, basename } from 'node:path';
import type { Mutation } from './mutation.ts';
import { runTest, type TestRun } from './run-test.ts';

export type Verdict = {
  mutation: Mutation;
  /** NO_PROOF: the test fails without the mutation, or the mutated tree gives no result. */
  result: 'KILLED' | 'SURVIVED' | 'NO_PROOF';
  detail: string;
};

export type Proving = {
  root: string;
  folder: string;
  lanes: number;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  progress: (line: string) => void;
};

/**
 * Applies each mutation to a copy of the tree or a scratch database, and reports if its test
 * fails. The test must first pass without it.
 */
export async function prove(mutations: readonly Mutation[], proving: Proving): Promise<Verdict[]> {
  const copies = Array.from({ length: proving.lanes }, (_, lane) =>
    join(proving.folder, `copy-${lane}`),
  );
  await Promise.all(copies.map(async (copy) => scratchCopy(proving.root, copy)));

  const jobs = groupJobs(mutations);
  const untouched = new Map<string, Promise<TestRun>>();
  const verdicts = new Map<Mutation, Verdict>();
  await inLanes(copies, jobs, async (copy, job, at) => {
    const tests = listTests(job);
    const key = JSON.stringify(tests);
    const before = untouched.get(key) ?? runTest(copy, tests, proving);
    untouched.set(key, before);

    for (const verdict of await judge(copy, job, await before, proving)) {
      verdicts.set(verdict.mutation, verdict);
      proving.progress(`[${at + 1}/${jobs.length}] ${verdict.result} ${verdict.mutation.id}`);
    }
  });

  return mutations.map((mutation) => verdicts.get(mutation)!);
}

type Job = readonly [Mutation, ...Mutation[]];

/**
 * Returns one job per mutation of a source. Rules of different tables are removed together if they
 * have the same test file, because no test uses two tables.
 */
function groupJobs(mutations: readonly Mutation[]): Job[] {
  const jobs: [Mutation, ...Mutation[]][] = [];
  const tables = new Map<Job, Set<string>>();

  for (const mutation of mutations) {
    const { change, test } = mutation;
    const open =
      'table' in change
        ? jobs.find(
            (job) => job[0].test.file === test.file && tables.get(job)?.has(change.table) === false,
          )
        : undefined;

    const job = open ?? [mutation];
    if (open === undefined) jobs.push(job);
    else job.push(mutation);
    if ('table' in change) tables.set(job, new Set(tables.get(job)).add(change.table));
  }

  return jobs;
}

const listTests = (job: Job): { file: string; titles: string[] } => ({
  file: job[0].test.file,
  titles: job.map(({ test }) => test.title),
});

async function judge(
  copy: string,
  job: Job,
  before: TestRun,
  proving: Proving,
): Promise<Verdict[]> {
  try {
    const run = before.passed.length === 0 ? before : await runMutated(copy, job, proving);
    return job.map((mutation) => toVerdict(mutation, before, run));
  } catch (error) {
    // The part no longer exists.
    return job.map((mutation) => ({ mutation, result: 'NO_PROOF', detail: String(error) }));
  }
}

/** The mutated text does not parse. */
const NONSENSE = /SyntaxError|ReferenceError|syntax error at|TEST_DATABASE_WITHOUT/;

function toVerdict(mutation: Mutation, before: TestRun, run: TestRun): Verdict {
  const { title } = mutation.test;
  const failedBefore = before.failed.find(({ name }) => name.includes(title));
  if (failedBefore !== undefined)
    return { mutation, result: 'NO_PROOF', detail: `fails anyway: ${failedBefore.reason}` };
  if (!before.passed.some((name) => name.includes(title)))
    return { mutation, result: 'NO_PROOF', detail: `no such test: ${before.broken ?? title}` };
  const failed = run.failed.find(({ name }) => name.includes(title));
  if (failed !== undefined)
    return {
      mutation,
      result: NONSENSE.test(failed.reason) ? 'NO_PROOF' : 'KILLED',
      detail: failed.reason,
    };

  if (run.broken !== null) return { mutation, result: 'NO_PROOF', detail: run.broken };

  return { mutation, result: 'SURVIVED', detail: '' };
}

async function runMutated(copy: string, job: Job, proving: Proving): Promise<TestRun> {
  const tests = listTests(job);
  const [{ change }] = job;
  if ('table' in change) {
    const statements = job
      .map((mutation) => ('table' in mutation.change ? mutation.change.statements : ''))
      .join('\n');
    return runTest(copy, tests, {
      ...proving,
      env: { ...proving.env, TEST_DATABASE_WITHOUT: statements },
    });
  }

  const path = join(copy, change.file);
  const original = await readFile(path, 'utf8');

  try {
    await writeFile(path, change.edit(original));
    return await runTest(copy, tests, proving);
  } finally {
    await writeFile(path, original);
  }
}

async function inLanes<T>(
  copies: readonly string[],
  items: readonly T[],
  work: (copy: string, item: T, at: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  await Promise.all(
    copies.map(async (copy) => {
      for (const [at, item] of queue) await work(copy, item, at);
    }),
  );
}

/** Packages are linked instead of copied. The others are not sources. */
const LEFT_OUT = new Set(['node_modules', '.git', '.carte', 'coverage']);

/** Links the packages of the tree. */
async function scratchCopy(root: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await cp(root, folder, { recursive: true, filter: (source) => !LEFT_OUT.has(basename(source)) });
  await symlink(await realpath(join(root, 'node_modules')), join(folder, 'node_modules'));
}
