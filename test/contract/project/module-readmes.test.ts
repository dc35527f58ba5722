import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { moduleLevels } from '../../../packages/dev/imports/import-rules.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

const readSources = (module: string, pattern: string): string =>
  globSync(`modules/${module}/${pattern}`, { cwd: project })
    .map((file) => readFileSync(`${project}/${file}`, 'utf8'))
    .join('\n');

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].toSorted();

const listed = (readme: string, line: string): string[] =>
  namesIn(new RegExp(`^- ${line}: (.*)$`, 'm').exec(readme)?.[1] ?? '', /`(\w+)`/g);

test.each(moduleLevels.flat())(
  'the README of %s lists its tables and the events that it emits',
  (module) => {
    const readme = readFileSync(`${project}/modules/${module}/README.md`, 'utf8');

    expect(listed(readme, 'Tables')).toEqual(
      namesIn(readSources(module, 'tables/*.ts'), /tableName: '(\w+)'/g),
    );
    expect(listed(readme, 'Emits')).toEqual(
      namesIn(
        readSources(module, '**/*.ts'),
        /(?:appendOutbox|appendOutboxRows|outboxRows)\(\s*tx,\s*'(\w+)'/g,
      ),
    );
  },
);
