import { readdir, readFile, access } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { root } from '../../support/processes.ts';

/** Requirements of levels 1 and 2 of the Application Security Verification Standard 5.0.0. */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  '1.1': '1 2',
  '1.2': '1 2 3 4 5 6 7 8 9',
  '1.3': '1 2 3 4 5 6 7 8 9 10 11',
  '1.4': '1 2 3',
  '1.5': '1 2',
  '2.1': '1 2 3',
  '2.2': '1 2 3',
  '2.3': '1 2 3 4',
  '2.4': '1',
  '3.2': '1 2',
  '3.3': '1 2 3 4',
  '3.4': '1 2 3 4 5 6',
  '3.5': '1 2 3 4 5',
  '3.7': '1 2',
  '4.1': '1 2 3',
  '4.2': '1',
  '4.3': '1 2',
  '4.4': '1 2 3 4',
  '5.1': '1',
  '5.2': '1 2 3',
  '5.3': '1 2',
  '5.4': '1 2 3',
  '6.1': '1 2 3',
  '6.2': '1 2 3 4 5 6 7 8 9 10 11 12',
  '6.3': '1 2 3 4',
  '6.4': '1 2 3 4',
  '6.5': '1 2 3 4 5',
  '6.6': '1 2 3',
  '6.8': '1 2 3 4',
  '7.1': '1 2 3',
  '7.2': '1 2 3 4',
  '7.3': '1 2',
  '7.4': '1 2 3 4 5',
  '7.5': '1 2',
  '7.6': '1 2',
  '8.1': '1 2',
  '8.2': '1 2 3',
  '8.3': '1',
  '8.4': '1',
  '9.1': '1 2 3',
  '9.2': '1 2 3 4',
  '10.1': '1 2',
  '10.2': '1 2',
  '10.3': '1 2 3 4',
  '10.4': '1 2 3 4 5 6 7 8 9 10 11',
  '10.5': '1 2 3 4 5',
  '10.6': '1 2',
  '10.7': '1 2 3',
  '11.1': '1 2',
  '11.2': '1 2 3',
  '11.3': '1 2 3',
  '11.4': '1 2 3 4',
  '11.5': '1',
  '11.6': '1',
  '12.1': '1 2 3',
  '12.2': '1 2',
  '12.3': '1 2 3 4',
  '13.1': '1',
  '13.2': '1 2 3 4 5',
  '13.3': '1 2',
  '13.4': '1 2 3 4 5',
  '14.1': '1 2',
  '14.2': '1 2 3 4',
  '14.3': '1 2 3',
  '15.1': '1 2 3',
  '15.2': '1 2 3',
  '15.3': '1 2 3 4 5 6 7',
  '16.1': '1',
  '16.2': '1 2 3 4 5',
  '16.3': '1 2 3 4',
  '16.4': '1 2 3',
  '16.5': '1 2 3',
  '17.1': '1',
  '17.2': '1 2 3 4',
  '17.3': '1 2',
};
const VERDICTS = ['yes', 'partly', '**no**', 'outside', '–'];

type Row = { ids: string[]; verdict: string; shownBy: string };

let page: string;
let rows: Row[];
beforeAll(async () => {
  page = await readFile(`${root}docs/security.md`, 'utf8');
  rows = [...page.matchAll(/^\| (\d[\d., ]*?) +\| ([^|]+?) +\| ([^|]+?) +\|([^|]*)\|$/gm)].map(
    ([, ids = '', , verdict = '', shownBy = '']) => ({
      ids: ids.split(', '),
      verdict,
      shownBy: shownBy.trim(),
    }),
  );
});

test('[OPS-41] the page about security answers every requirement once', () => {
  const wanted = Object.entries(REQUIREMENTS).flatMap(([section, numbers]) =>
    numbers.split(' ').map((number) => `${section}.${number}`),
  );

  expect(rows.flatMap(({ ids }) => ids).toSorted()).toEqual(wanted.toSorted());
  expect(rows.filter(({ verdict }) => !VERDICTS.includes(verdict))).toEqual([]);
});

test('[OPS-41] fulfilled requirements refer to an existing rule or test', async () => {
  const rules = await Promise.all(
    (await readdir(`${root}docs/rules`)).map((name) =>
      readFile(`${root}docs/rules/${name}`, 'utf8'),
    ),
  );
  const known = new Set(
    rules.flatMap((text) => [...text.matchAll(/^- \*\*([A-Z]+-\d+)\.\*\*/gm)].map(([, id]) => id!)),
  );
  const missing: string[] = [];
  for (const { ids, verdict, shownBy } of rows) {
    const named = shownBy.split(', ').filter((part) => part !== '');
    if (verdict === 'yes' && named.length === 0) missing.push(`${ids.join(', ')} names nothing`);
    for (const text of named) {
      const [, file] = /^`(test\/.+\.ts)`$/.exec(text) ?? [];
      const exists =
        file === undefined
          ? known.has(text)
          : await access(root + file).then(
              () => true,
              () => false,
            );
      if (!exists) missing.push(`${ids.join(', ')}: ${text} does not exist`);
    }
  }

  expect(missing).toEqual([]);
});

test('[OPS-41] requirements that are not completely fulfilled are explained as gaps', () => {
  const gaps = page.slice(page.indexOf('## Gaps'), page.indexOf('## V1 '));
  const explained = new Set(gaps.match(/\d+\.\d+\.\d+/g));
  for (const [, section, from, to] of gaps.matchAll(/(\d+\.\d+)\.(\d+) to \d+\.\d+\.(\d+)/g))
    for (let number = Number(from); number <= Number(to); number += 1)
      explained.add(`${section}.${number}`);
  const open = rows
    .filter(({ verdict }) => verdict === 'partly' || verdict === '**no**')
    .flatMap(({ ids }) => ids);

  expect(open.filter((id) => !explained.has(id))).toEqual([]);
  expect(open.length).toBeGreaterThan(20);
});
