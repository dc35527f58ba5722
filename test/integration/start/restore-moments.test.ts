import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withClient } from '../../../tools/postgres.ts';
import {
  startArchivedPostgres,
  type ArchivedPostgres,
  type Restoration,
} from '../../support/archived-postgres.ts';
import { longTest, wholeInSoak } from '../../support/repetitions.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let archived: ArchivedPostgres;
/** The earliest moment that the backup can restore. */
let firstMoment: Date;
/** Commits: one in the base backup, two in the archive, and one that was lost with the host. */
const commits: Record<'based' | 'earlier' | 'last' | 'lost', string> = {
  based: '',
  earlier: '',
  last: '',
  lost: '',
};
let between: string;

const commit = (name: string) =>
  withClient(archived.postgres.url, async (client) => {
    await client.query(`insert into entry values ('${name}')`);
    const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
    return rows[0]!.at.toISOString();
  });
async function restoredRows(): Promise<string[]> {
  const restored = await archived.startRestored();
  try {
    return await withClient(restored.url, async (client) => {
      const { rows } = await client.query<{ name: string }>('select name from entry');
      return rows.map(({ name }) => name);
    });
  } finally {
    await restored.stop();
  }
}
/** Expects that the printed moment lies in the pause before a commit. */
function expectLastCommit({ stdout }: Restoration, from: string, to: string): void {
  const moment = Date.parse(stdout.trim());
  expect(moment).toBeGreaterThan(Date.parse(from));
  expect(moment).toBeLessThanOrEqual(Date.parse(to));
}

beforeAll(async () => {
  folder = await temporaryFolder('restore-moments');
  archived = await startArchivedPostgres(folder);
  await withClient(archived.postgres.url, (client) =>
    client.query('create table entry (name text)'),
  );
  commits.based = await commit('based');
  firstMoment = await archived.backUp();
  commits.earlier = await commit('earlier');
  between = new Date().toISOString();
  commits.last = await commit('last');
  await archived.cutLog();
  await withClient(archived.postgres.url, (client) => client.query('checkpoint'));
  await archived.cutLog();
  commits.lost = await commit('lost');
  // The disaster: nothing is archived from here on.
  process.kill(archived.postgres.pid, 'SIGKILL');
  await archived.postgres.exited;
}, 120_000);
afterAll(async () => {
  await archived?.postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a restoration', () => {
  test('[OPS-146] to a time before the last transaction has the data of that time', async () => {
    const { code, stdout } = await archived.runRestore(between);

    expect({ code, stdout }).toEqual({ code: 0, stdout: `${between}\n` });
    expect(await restoredRows()).toEqual(['based', 'earlier']);
  }, 60_000);

  longTest(
    '[OPS-146] to a time after the last transaction has everything, and reports the last time',
    async () => {
      const afterLoss = new Date(Date.parse(commits.lost) + 20_000)
        .toISOString()
        .replace('T', ' ')
        .replace('Z', '+00');
      const ended = await archived.runRestore(afterLoss);

      expect(ended.code).toBe(0);
      expectLastCommit(ended, between, commits.last);
      expect(ended.stderr).toContain(
        `no transaction between ${ended.stdout.trim()} and ${afterLoss}`,
      );
      expect(ended.stderr).not.toContain('lacks');
      expect(await restoredRows()).toEqual(['based', 'earlier', 'last']);
    },
    60_000,
  );

  test('[OPS-146] after the loss of the host has everything that was archived', async () => {
    const ended = await archived.runRestore('latest');

    expect(ended.code).toBe(0);
    expectLastCommit(ended, between, commits.last);
    expect(await restoredRows()).toEqual(['based', 'earlier', 'last']);
  }, 60_000);

  test('[OPS-146] to a time before the first base backup reports the first possible time', async () => {
    const first = firstMoment.toISOString().replace('.000', '');

    expect(await archived.runRestore(commits.based)).toEqual({
      code: 1,
      stdout: '',
      stderr: `No base backup is as old as ${commits.based}. The first possible moment is ${first}.\n`,
    });
    expect(
      (await readdir(join(folder, 'restored'))).filter((name) => name === 'cluster'),
    ).toHaveLength(1);
  });

  longTest(
    '[OPS-146] to the first possible time has the data of the base backup',
    async () => {
      const { code } = await archived.runRestore(firstMoment.toISOString());

      expect(code).toBe(0);
      expect(await restoredRows()).toEqual(['based']);
    },
    60_000,
  );

  longTest(
    '[OPS-146] reports a missing segment that later ones follow',
    async () => {
      const segments = (await archived.segments()).slice(-2);
      const gap = join(archived.archive, segments[0]!);
      await rename(gap, `${gap}.away`);
      const ended = await archived.runRestore('latest');
      await rename(`${gap}.away`, gap);

      expect(ended.code).toBe(0);
      expect(ended.stderr).toContain(`lacks the segment ${segments[0]!.replace('.gz', '')}`);
      expect(ended.stderr).toContain(segments[1]!.replace('.gz', ''));
    },
    60_000,
  );

  test('[OPS-101] rejects a running server, and keeps the former data of a stopped one', async () => {
    const pid = join(folder, 'restored', 'cluster', 'postmaster.pid');
    await writeFile(pid, '1');
    const rejected = await archived.runRestore('latest');
    await rm(pid);
    const former = (await readdir(join(folder, 'restored'))).filter((name) =>
      name.startsWith('cluster.before-'),
    );

    expect(rejected).toMatchObject({ code: 1, stderr: expect.stringContaining('still runs') });
    // One for each restoration that replaced an earlier one.
    expect(former).toHaveLength(wholeInSoak(4, 1));
  });

  test('[OPS-101] rejects a text that is not a time', async () => {
    expect(await archived.runRestore('half past nine')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("'half past nine' must be in UTC"),
    });
  });
});
