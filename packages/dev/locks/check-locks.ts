import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMutations } from './list.ts';
import { NO_LOCKS } from './no-locks.ts';
import { prove, type Verdict } from './prove.ts';
import { readPlaces, unlistedLocks } from './unlisted.ts';
import { endOnSignals, interrupted, root } from '../stages.ts';
import { startTestServers } from '../test-servers.ts';

// `npm run carte -- check:locks [<part of an id> …]`: removes each listed lock in copies of the
// tree, and each unique rule in scratch databases, and requires that its test fails.

/** Tests wait more than they compute. */
const LANES = 2;

const parts = process.argv.slice(2);
const mutations = await readMutations(root);
const chosen = mutations.filter(
  ({ id }) => parts.length === 0 || parts.some((part) => id.includes(part)),
);

function report(verdicts: readonly Verdict[]): number {
  for (const { mutation, result, detail } of verdicts) {
    const { file, title } = mutation.test;
    const below = [`${file} › ${title}`, ...(detail === '' ? [] : [detail])].map(
      (line) => `\n          ${line}`,
    );
    console.log(`${result.padEnd(8)}  ${mutation.id}${below.join('')}`);
  }

  return verdicts.filter(({ result }) => result !== 'KILLED').length;
}

endOnSignals();
const folder = await mkdtemp(join(tmpdir(), 'carte-locks-'));

try {
  if (chosen.length === 0) throw new Error(`no id contains ${parts.join(' or ')}`);
  const servers = await startTestServers(folder, interrupted);

  try {
    const verdicts = await prove(chosen, {
      root,
      folder,
      lanes: LANES,
      // Includes all repetitions of races.
      env: { ...servers.env, SOAK_FACTOR: '1' },
      signal: interrupted,
      progress: (line) => console.log(line),
    });

    const unproved = report(verdicts);
    const listed = new Set(mutations.map(({ id }) => id));
    const { unlisted, needless } = unlistedLocks(
      await readPlaces(root),
      listed,
      new Set(Object.keys(NO_LOCKS)),
    );

    for (const lock of unlisted) console.log(`without proof: ${lock}`);
    for (const entry of needless) console.log(`no lock, or proved: ${entry}`);
    const wrong = unproved + unlisted.length + needless.length;
    const entries = `${unlisted.length} locks without an entry, ${needless.length} needless entries`;
    console.log(`${verdicts.length - unproved} killed, ${unproved} not proved, ${entries}`);
    if (wrong > 0 || interrupted.aborted) process.exitCode = 1;
  } finally {
    await servers.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
