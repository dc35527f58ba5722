import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listPermissions } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { SEED_ROLES, withIncluded } from '../../../kernel/pure/permissions.ts';
import { lackingPermission, type Need } from '../../../packages/console/src/pure/permissions.ts';
import { OPERATION_PERMISSIONS } from '../../../packages/client/src/generated/permissions.ts';
import { root } from '../../support/processes.ts';

const needs: Readonly<Record<string, Need>> = OPERATION_PERMISSIONS;
const admin = new Map(
  routes.filter(({ api }) => api === 'admin').map((route) => [route.operationId, route]),
);

const used = (pattern: RegExp): string[] => {
  const files = globSync('packages/console/src/**/*.{ts,tsx}', { cwd: root });
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, id]) => id!),
  );
  return [...new Set(found)].filter((id) => admin.has(id)).toSorted();
};
const actions = used(/(?:useAction\(|operation: )'(\w+)'/g);
const reads = used(/(?:useRead\(\s*|needs="|list="|read: )'?(\w+)['"]/g);

describe('permissions in the console', () => {
  test('[CSL-7] belong, for each screen and action, to an existing operation', () => {
    expect(actions.length).toBeGreaterThan(80);
    expect(reads.length).toBeGreaterThan(60);
    // A download reads, but only when a person presses a button.
    const downloads = actions.filter((id) => admin.get(id)!.method === 'GET');
    expect(downloads).toEqual(['exportGiftDays']);
  });

  test('[CSL-7] cover every operation that a component calls', () => {
    const files = globSync('packages/console/src/{screens,parts}/**/*.tsx', { cwd: root });

    expect(files.length).toBeGreaterThan(60);
    expect(
      files.filter((file) => /session\.api|\bfetch\(/.test(readFileSync(join(root, file), 'utf8'))),
    ).toEqual([]);
  });

  test.each(SEED_ROLES.map(({ code, permissions }) => [code, permissions] as const))(
    '[CSL-7] allow %s exactly what the server allows',
    (_, own) => {
      const permissions = withIncluded([...own]);
      const server = (id: string) => {
        const needed = listPermissions(admin.get(id)!.permission);
        return needed.length === 0 || needed.some((permission) => permissions.includes(permission));
      };
      const differing = [...actions, ...reads].filter(
        (id) => (lackingPermission(needs[id]!, permissions) === null) !== server(id),
      );

      expect(differing).toEqual([]);
    },
  );

  test('[CSL-7] follow the value of a field if the server decides by it', () => {
    const need = needs['bulkProducts']!;

    expect(lackingPermission(need, ['catalog.write'], 'PUBLISH')).toBe('catalog.publish');
    expect(lackingPermission(need, ['catalog.write'], 'SET_BADGES')).toBeNull();
  });

  test('[CSL-7] each action of a component names the permission that a person lacks', () => {
    const files = globSync('packages/console/src/{screens,parts}/**/*.tsx', { cwd: root });
    // Files of components that are opened by a button, which checks the same action.
    const opened =
      /(?:parts\/resource|edit-exception|zone-form|setting-form|second-factor|account|zones|product-bulk)\.tsx$/;
    const unchecked = files
      .filter((file) => !opened.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        const names = [...text.matchAll(/const (\w+) = useAction\(/g)].map(([, name]) => name!);
        return names
          .filter(
            (name) =>
              !new RegExp(String.raw`\b${name}\.lacks|action=\{${name}\}|\.\.\.${name},`).test(
                text,
              ),
          )
          .map((name) => `${file}: ${name}`);
      });

    expect(unchecked).toEqual([]);
  });
});
