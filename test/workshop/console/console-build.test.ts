import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildConsole } from '../../../tools/built-site.ts';
import { root } from '../../support/processes.ts';

const MOST_KILOBYTES = 300;
const folder = join(root, 'packages/console/dist');
const log = (line: string) => void process.stderr.write(`${line}\n`);

/** Files that a page loads at first, and their imports. */
function firstLoad(html: string, language: 'en' | 'ru'): string[] {
  const assets = readdirSync(join(folder, 'assets'));
  const files = new Set(
    [...html.matchAll(/assets\/([\w.-]+\.(?:js|css))/g)].map(([, file]) => file!),
  );
  for (const file of files)
    if (file.endsWith('.js'))
      for (const [, imported] of readFileSync(join(folder, 'assets', file), 'utf8').matchAll(
        /from"\.\/([\w.-]+\.js)"|import"\.\/([\w.-]+\.js)"/g,
      ))
        if (imported !== undefined) files.add(imported);
  // The texts of one language and the first screen are loaded at once.
  const screen = assets.filter((file) =>
    new RegExp(
      String.raw`^(?:${language}|now|page|data-table|filters|values|states)-.*\.(?:js|css)$`,
    ).test(file),
  );
  return [...new Set([...files, ...screen])];
}

describe('the build of the console', () => {
  beforeAll(() => buildConsole(log));

  test.each(['en', 'ru'] as const)(
    `[CSL-14] loads at most ${MOST_KILOBYTES} KB with gzip at first in %s`,
    (language) => {
      const files = firstLoad(readFileSync(join(folder, 'index.html'), 'utf8'), language);
      const bytes = files.map(
        (file) => gzipSync(readFileSync(join(folder, 'assets', file))).length,
      );

      expect(files.length).toBeGreaterThan(4);
      expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_KILOBYTES * 1_000);
    },
  );

  test('[CSL-14] loads the styles of the map with the map', () => {
    const files = firstLoad(readFileSync(join(folder, 'index.html'), 'utf8'), 'en');
    const styles = readdirSync(join(folder, 'assets')).filter((file) => file.endsWith('.css'));
    const isOfMap = (file: string) =>
      readFileSync(join(folder, 'assets', file), 'utf8').includes('.maplibregl-map');

    expect(styles.filter(isOfMap)).toHaveLength(1);
    expect(files.filter((file) => file.endsWith('.css'))).toHaveLength(1);
    expect(files.filter(isOfMap)).toEqual([]);
  });

  test('[CSL-14] creates a separate file for each screen', () => {
    const screens = readdirSync(join(root, 'packages/console/src/screens')).filter((file) =>
      file.endsWith('.tsx'),
    );
    const built = readdirSync(join(folder, 'assets'));
    const missing = screens
      .map((file) => file.replace('.tsx', ''))
      .filter((name) => !built.some((file) => file.startsWith(`${name}-`)));

    expect(screens.length).toBeGreaterThan(35);
    expect(missing).toEqual([]);
  });
});
