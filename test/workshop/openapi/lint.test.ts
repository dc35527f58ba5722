import { expect, test } from '@jest/globals';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import type { Api } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { toolFolder } from '../../../packages/dev/programs/tool-folders.ts';
import { lintDescription } from '../../../packages/dev/openapi/redocly.ts';
import { describeWith, unlessMandatory } from '../../support/unless-mandatory.ts';

const APIS: Api[] = ['public', 'admin', 'webhooks'];
type Operation = {
  security?: object[];
  responses: Record<string, { content: Record<string, { example: Record<string, unknown> }> }>;
};

const redocly = await toolFolder('redocly', (line) => process.stderr.write(`${line}\n`)).catch(
  unlessMandatory,
);

describeWith(redocly, 'the linter of redocly', (folder) => {
  test.each(APIS)('finds nothing in the description of the %s API', async (api) => {
    expect(await lintDescription(folder, openApiDocument(api, routes))).toEqual([]);
  });

  test('finds an operation without security, and an example that violates its schema', async () => {
    const { paths, ...rest } = openApiDocument('public', routes) as {
      paths: Record<string, { get: Operation }>;
    };
    delete paths['/menu']!.get.security;
    paths['/menu/revision']!.get.responses['200']!.content['application/json']!.example[
      'revision'
    ] = 'seven';

    expect(await lintDescription(folder, { ...rest, paths })).toEqual([
      expect.objectContaining({ rule: 'security-defined', place: '#/paths/~1menu/get' }),
      expect.objectContaining({ rule: 'no-invalid-media-type-examples' }),
    ]);
  });
});
