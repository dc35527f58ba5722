import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listPermissions } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { SEED_ROLES, type Permission } from '../../../kernel/pure/permissions.ts';
import { GUIDE_EXECUTIONS, listCodeBlocks } from '../../support/guide-blocks.ts';
import { root } from '../../support/processes.ts';

const folder = join(root, 'docs/guides');
const guides = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted();
const russian = (await readdir(join(folder, 'ru'))).toSorted();
const read = (name: string) => readFile(join(folder, name), 'utf8');

const listHeadingLevels = (text: string): number[] =>
  [...text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '').matchAll(/^(#+) /gm)].map(
    ([, marks]) => marks!.length,
  );

test('[OPS-139] each guide has a test', () => {
  expect(Object.keys(GUIDE_EXECUTIONS).toSorted()).toEqual(guides);
});

test.each(guides)('[OPS-139] tests execute every code block of %s', async (guide) => {
  const text = await read(guide);
  const blocks = listCodeBlocks(text);
  const executions = GUIDE_EXECUTIONS[guide]!;
  const fixed = Object.entries(executions).filter(([, { blocks: count }]) => count !== undefined);
  const countBlocks = (language: string) =>
    blocks.filter((block) => block.language === language).length;

  expect([...new Set(blocks.map(({ language }) => language))].toSorted()).toEqual(
    Object.keys(executions).toSorted(),
  );
  // Each fence belongs to a block that the tests find.
  expect(text.match(/^\s*(?:`{3,}|~{3,})/gm) ?? []).toHaveLength(2 * blocks.length);
  expect(fixed.map(([language]) => countBlocks(language))).toEqual(
    fixed.map(([, { blocks: count }]) => count),
  );
});

test.each(russian)(
  '[OPS-140] the Russian page %s has the code and the headings of the English one',
  async (name) => {
    const [english, translated] = await Promise.all([read(name), read(`ru/${name}`)]);

    expect(listCodeBlocks(translated)).toEqual(listCodeBlocks(english));
    expect(listHeadingLevels(translated)).toEqual(listHeadingLevels(english));
  },
);

test('[OPS-139] code of the storefront guide fits 80 columns', async () => {
  const lines = listCodeBlocks(await read('storefront.md')).flatMap(({ code }) => code.split('\n'));

  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('[OPS-140] the guides for storefronts and for staff have a Russian page', () => {
  expect(russian).toEqual(['admin.md', 'storefront.md']);
});

describe('the user of a guide for staff', () => {
  /** Roles that a guide's code gives to its user. */
  const listRoles = (code: string): string[] =>
    [...(/roles\\":\[(.*?)\]/.exec(code)?.[1] ?? '').matchAll(/\w+/g)].map(([role]) => role);
  const listCalls = (code: string): string[] =>
    [...code.matchAll(/\b(?:staff|call) ["']?(\/[^\s"'?]*)([^|\n]*)/g)].map(([, path, rest]) => {
      const method = / -X (\w+)/.exec(rest!)?.[1] ?? (/ -[dF] /.test(rest!) ? 'POST' : 'GET');
      return `${method} ${path!.replaceAll(/\$\w+/g, '1')}`;
    });
  const findRoute = (call: string) => {
    const [method, path = ''] = call.split(' ');
    return routes.find(
      (route) =>
        route.api === 'admin' &&
        route.method === method &&
        new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
  };
  const findRefused = (calls: readonly string[], held: readonly Permission[]): string[] =>
    calls.filter((call) => {
      const route = findRoute(call);
      const wanted = route === undefined ? null : listPermissions(route.permission);
      return (
        wanted === null ||
        (wanted.length > 0 && !wanted.some((permission) => held.includes(permission)))
      );
    });
  const heldBy = (roles: readonly string[]): Permission[] =>
    SEED_ROLES.filter(({ code }) => roles.includes(code)).flatMap(({ permissions }) => [
      ...permissions,
    ]);

  test.each([
    ['call-center.md', ['GUEST_SERVICE'], 10],
    ['admin.md', ['CONTENT_MANAGER', 'OPERATOR', 'GUEST_SERVICE'], 15],
  ] as const)(
    '[OPS-202] may make every call of %s with the roles that it names',
    async (guide, roles, least) => {
      const text = await read(guide);
      const code = listCodeBlocks(text)
        .map((block) => block.code)
        .join('');
      const calls = listCalls(code);

      expect(listRoles(code)).toEqual(roles);
      for (const role of roles) expect(text).toContain(`\`${role}\``);
      expect(calls.length).toBeGreaterThanOrEqual(least);
      expect(findRefused(calls, heldBy(roles))).toEqual([]);
    },
  );

  test('[OPS-202] may not make the calls of other guides', () => {
    const calls = [
      'POST /compensations/1/cancel',
      'GET /sync/status',
      'GET /orders',
      'GET /no/such/call',
    ];

    expect(findRefused(calls, heldBy(['GUEST_SERVICE']))).toEqual([calls[0], calls[1], calls[3]]);
  });
});
