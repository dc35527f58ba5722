import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Source = { file: string; text: string };

/** Recorded data, and files that show faults to the checkers. */
const EXCLUDED = /^(?:test\/replay\/histories\/|test\/contract\/project\/fixtures\/)/;

/** Includes untracked files. */
export function readSources(root: string, pattern: RegExp): Source[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '--deduplicate', '-z'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  );

  const deleted = new Set(
    execFileSync('git', ['ls-files', '-d', '-z'], { cwd: root, encoding: 'utf8' }).split('\0'),
  );

  return listed
    .split('\0')
    .filter((file) => pattern.test(file) && !EXCLUDED.test(file) && !deleted.has(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}
