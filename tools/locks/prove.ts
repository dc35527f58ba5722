import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mutated, type Mutation } from './mutation.ts';
import { runTest, type TestRun } from './run-test.ts';
import { scratchCopy } from './scratch-copy.ts';

export type Verdict = {
  mutation: Mutation;
  /** NO_PROOF: the test does not pass without the mutation, or the mutated tree gives no result at all. */
  result: 'KILLED' | 'SURVIVED' | 'NO_PROOF';
  /** What the test said. */
  detail: string;
};

export type Proving = {
  root: string;
  /** Where the copies of the tree go. */
  folder: string;
  /** Copies that work at the same time. */
  lanes: number;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  progress: (line: string) => void;
};

/**
 * Applies every mutation to a copy of the tree, never to the tree itself, and says whether its test fails then. First each test
 * runs once without a mutation, because a test that fails anyway proves nothing.
 */
export async function prove(mutations: readonly Mutation[], proving: Proving): Promise<Verdict[]> {
  const copies = Array.from({ length: proving.lanes }, (_, lane) => join(proving.folder, `copy-${lane}`));
  await Promise.all(copies.map(async (copy) => scratchCopy(proving.root, copy)));

  const files = [...Map.groupBy(mutations, (each) => each.test.file)];
  const passing = new Map<string, TestRun>();
  await inLanes(copies, files, async (copy, [file, listed], at) => {
    const titles = [...new Set(listed.map((each) => each.test.title))];
    const run = await runTest(copy, { file, titles }, proving);
    passing.set(file, run);
    proving.progress(`[${at + 1}/${files.length}] ${file}: ${run.passed.length} pass, ${run.failed.length} fail`);
  });

  const verdicts: Verdict[] = [];
  await inLanes(copies, mutations, async (copy, mutation, at) => {
    const verdict = await judge(copy, mutation, passing.get(mutation.test.file), proving);
    verdicts[at] = verdict;
    proving.progress(`[${at + 1}/${mutations.length}] ${verdict.result} ${mutation.id}`);
  });
  return verdicts;
}

async function judge(
  copy: string,
  mutation: Mutation,
  unmutated: TestRun | undefined,
  proving: Proving,
): Promise<Verdict> {
  const { file, title } = mutation.test;
  const before = unmutated?.failed.find(({ name }) => name.includes(title));
  if (before !== undefined) return { mutation, result: 'NO_PROOF', detail: `fails anyway: ${before.reason}` };
  if (unmutated?.passed.some((name) => name.includes(title)) !== true)
    return { mutation, result: 'NO_PROOF', detail: `no such test: ${unmutated?.broken ?? title}` };

  const path = join(copy, mutation.file);
  const original = await readFile(path, 'utf8');
  let changed: string;
  try {
    changed = mutated(mutation, original);
  } catch (error) {
    // The line has been rewritten since: that is one entry without a proof, and the others still have theirs.
    return { mutation, result: 'NO_PROOF', detail: (error as Error).message };
  }
  try {
    await writeFile(path, changed);
    const run = await runTest(copy, { file, titles: [title] }, proving);
    const [failed] = run.failed;
    if (failed !== undefined) return { mutation, result: 'KILLED', detail: failed.reason };
    if (run.broken !== null) return { mutation, result: 'NO_PROOF', detail: run.broken };
    return { mutation, result: 'SURVIVED', detail: '' };
  } finally {
    await writeFile(path, original);
  }
}

/** Gives every item to the next copy that is free, in order. */
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
