import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { AUDIT_ENTITIES } from '../../../modules/access/schemas/audit.ts';
import { BULK_ACTIONS } from '../../../modules/catalog/rules/bulk-actions.ts';
import { GATE_CODES } from '../../../modules/ordering/rules/gate.ts';
import { SETTING_RULES } from '../../../modules/settings/setting-rules.ts';
import { settingFields } from '../../../packages/console/src/pure/setting.ts';
import { en } from '../../../packages/console/src/texts/en/index.ts';
import { ru } from '../../../packages/console/src/texts/ru/index.ts';
import { root } from '../../support/processes.ts';

/** Names that are the same in both languages. */
const NAMES = /\b(?:Carte|Temporal|API|URL|JSON)\b/g;

/** The start of a plural branch, such as `one {`. */
const BRANCH = /(?:=\d+|\b(?:zero|one|two|few|many|other)) \{/g;
const PLACEHOLDER = /\{(\w+)(?:, (?:plural|number))?[,}]/g;

const stripPlaceholders = (text: string): string =>
  text.replaceAll(BRANCH, ' ').replaceAll(PLACEHOLDER, ' ');

const listValues = (text: string): string => {
  const names = [...text.replaceAll(BRANCH, ' ').matchAll(PLACEHOLDER)].map(([, name]) => name!);
  return [...new Set(names)].toSorted().join();
};

describe('the texts of the console', () => {
  const both = Object.keys(en) as (keyof typeof en)[];

  test('[CSL-4] need the same values in both languages', () => {
    expect(both.length).toBeGreaterThan(800);
    expect(both.filter((key) => listValues(en[key]) !== listValues(ru[key]))).toEqual([]);
  });

  test('[CSL-4] contain no empty text and none in the other language', () => {
    const words = (text: string) => stripPlaceholders(text).replaceAll(NAMES, '');

    expect(
      both.filter((key) => en[key].trim() === '' || /\p{Script=Cyrillic}/u.test(words(en[key]))),
    ).toEqual([]);
    expect(both.filter((key) => ru[key].trim() === '' || /[A-Za-z]/.test(words(ru[key])))).toEqual(
      [],
    );
  });

  test('[CSL-4] include the text of every component', () => {
    const files = globSync('packages/console/src/**/*.tsx', { cwd: root });
    const found = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)*)\s*</g)].map(
        ([, words]) => `${file}: ${words}`,
      );
    });

    expect(found.filter((line) => !line.endsWith(': Promise'))).toEqual([
      'packages/console/src/app/navigation.tsx: Carte',
    ]);
  });

  test('[CSL-42] name every member of a setting', () => {
    const members = Object.values(SETTING_RULES).flatMap(({ rule }) =>
      settingFields(rule.schema).flatMap((field) => field.members),
    );

    expect(members).toContain('attribution');
    expect(without('settingField', members)).toEqual([]);
  });

  const without = (group: string, codes: readonly string[]) =>
    codes.filter((code) => !(`${group}.${code}` in en));

  test('[CSL-36] each rule of an order has a sentence', () => {
    expect(GATE_CODES.length).toBeGreaterThan(30);
    expect(
      without(
        'rule',
        GATE_CODES.map(({ code }) => code),
      ),
    ).toEqual([]);
  });

  test('[CSL-36] each entry of the audit has words for its subject and its action', () => {
    const files = globSync('modules/**/*.ts', { cwd: root }).filter(
      (file) => !file.includes('/cart/'),
    );
    const literals = files.flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /\b(?:action: |audit\(tx, actor, \w+, )'([a-z][a-z-]*)'/g,
        ),
      ].map(([, action]) => action!),
    );
    const moves =
      'publish unpublish archive restore enable disable activate deactivate confirm dismiss snooze ignore';
    const bulk = Object.values(BULK_ACTIONS).flatMap((action) =>
      'as' in action ? [action.as] : [],
    );
    const actions = [...new Set([...literals, ...moves.split(' '), ...bulk])];

    expect(literals.length).toBeGreaterThan(80);
    expect(without('auditAction', actions)).toEqual([]);
    expect(without('entity', AUDIT_ENTITIES)).toEqual([]);
  });
});
