import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { FIELD_CODES } from '../../../kernel/pure/field-codes.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Patterns of codes in sources. Codes in capitals are violations and anomalies. */
const PLACES = [
  /invalidField\([^,]+,\s*'([^']+)'/g,
  /fieldError\([^,]+,\s*'([^']+)'/g,
  /unreadable\('([^']+)'/g,
  /\bcode: '([a-z][^']*)',\s*message/g,
  /kind: 'refused'; code: ('[^;]+');/g,
];

test('[HTTP-11] every code of a field error is listed, and every listed code is used', async () => {
  const used = new Map<string, string>();
  const files = glob(['api/**/*.ts', 'kernel/**/*.ts', 'modules/**/*.ts'], { cwd: root });
  for await (const file of files) {
    const source = await readFile(`${root}/${file}`, 'utf8');
    for (const place of PLACES)
      for (const [, found] of source.matchAll(place))
        for (const code of found!.replaceAll("'", '').split(' | ')) used.set(code, file);
  }

  expect(Object.fromEntries([...used].filter(([code]) => !(code in FIELD_CODES)))).toEqual({});
  expect(Object.keys(FIELD_CODES).filter((code) => !used.has(code))).toEqual([]);
  expect(Object.keys(FIELD_CODES).filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
});
