import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deadLinks, headingId } from '../../../packages/docs-site/check-links.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const START = `<h1 id="start">Start</h1>
<a href="#start">here</a>
<a href="/docs/guides/admin">page</a>
<a href="/docs/guides/admin#open-a-restaurant">heading</a>
<a href="/docs/rules/">folder</a>
<a href="/docs/admin">API reference</a>
<a href="https://temporal.io">elsewhere</a>
<img src="/docs/assets/shop.webp">`;

describe('the links of the built docs site', () => {
  let site: string;
  const page = (path: string, html: string) => writeFile(join(site, path), html);
  beforeAll(async () => {
    site = await temporaryFolder('docs-links');
    for (const folder of ['assets', 'guides', 'rules']) await mkdir(join(site, folder));
    await page('assets/shop.webp', '');
    await page('guides/admin.html', '<h2 id="open-a-restaurant">Open a restaurant</h2>');
    await page('rules.html', '<h1 id="rules">Rules</h1><a href="#rules">same name as a folder</a>');
    await page('rules/index.html', '<h1 id="rules">Rules</h1>');
  });
  afterAll(() => rm(site, { recursive: true, force: true }));

  test('[OPS-137] pass the check if they lead to a page, heading, folder, image or the API', async () => {
    await page('index.html', START);

    expect(deadLinks(site)).toEqual([]);
  });

  test.each([
    ['a missing page', 'href="/docs/guides/absent"'],
    ['a missing heading of another page', 'href="/docs/guides/admin#absent"'],
    ['a missing heading of the same page', 'href="#absent"'],
    ['a missing image', 'src="/docs/assets/absent.webp"'],
    ['a path outside of the site', 'href="/guides/admin"'],
  ])('[OPS-137] appear in the report if they lead to %s', async (_case, attribute) => {
    await page('index.html', `${START}<a ${attribute}>dead</a>`);

    expect(deadLinks(site)).toEqual([`index.html: ${/"(.*)"/.exec(attribute)![1]}`]);
  });

  test.each([
    ['1. Write the settings', '1-write-the-settings'],
    ["Temporal's load: a `worker`, twice", 'temporals-load-a-worker-twice'],
    ['Подарки в корзине', 'подарки-в-корзине'],
  ])('[OPS-137] name the heading "%s" by the id of a Git host', (heading, id) => {
    expect(headingId(heading)).toBe(id);
  });
});
