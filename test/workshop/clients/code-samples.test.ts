import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeSamples } from '../../../api/http/documents/code-samples.ts';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import type { Api } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { onPath } from '../../../tools/cached-program.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  describeWith,
  pathUnlessMandatory,
  programForTests,
  testWith,
} from '../../support/unless-mandatory.ts';

const run = promisify(execFile);
const chromium = await programForTests('chromium');
const pythonPath = onPath('python3', process.env['PATH']);
const python = pathUnlessMandatory(
  'Python',
  pythonPath === undefined
    ? { path: 'python3', reasons: ['none is on PATH'] }
    : { path: pythonPath },
);

type Sample = { lang: string; label: string; source: string };
type Paths = Record<string, Record<string, { operationId: string; 'x-codeSamples': Sample[] }>>;
const operations = (['public', 'admin', 'webhooks'] satisfies Api[]).flatMap((api) =>
  Object.values((openApiDocument(api, routes) as { paths: Paths }).paths).flatMap((methods) =>
    Object.values(methods),
  ),
);
const samplesIn = (lang: string) =>
  operations.map(({ operationId, 'x-codeSamples': samples }) => ({
    operationId,
    source: samples.find((sample) => sample.lang === lang)!.source,
  }));

describe('the code samples', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder('code-samples');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('[HTTP-75] exist for every operation in curl, TypeScript and Python', () => {
    const languages = operations.map(({ 'x-codeSamples': samples }) =>
      samples.map(({ label }) => label).join(),
    );

    expect(operations).toHaveLength(routes.length);
    expect(new Set(languages)).toEqual(new Set(['curl,TypeScript,Python']));
  });

  test('[HTTP-75] compile with @carte/client in TypeScript', async () => {
    for (const { operationId, source } of samplesIn('TypeScript'))
      await writeFile(join(folder, `${operationId}.ts`), `${source}\nexport {};\n`);
    await mkdir(join(folder, 'node_modules/@carte'), { recursive: true });
    await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
    const compilerOptions = {
      types: ['node'],
      paths: { '@carte/client/*': [join(root, 'packages/client/src/*.ts')] },
    };
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }),
    );
    const compiled = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
      (error: unknown) => error,
    );

    expect(compiled).toMatchObject({ stdout: '' });
    expect(samplesIn('TypeScript').filter(({ source }) => source.includes('fetch('))).toHaveLength(
      1,
    );
  });

  test('[HTTP-75] form commands of a shell in curl', async () => {
    await writeFile(
      join(folder, 'all.sh'),
      samplesIn('Shell')
        .map(({ source }) => source)
        .join('\n'),
    );

    await expect(run('/bin/sh', ['-n', join(folder, 'all.sh')])).resolves.toMatchObject({
      stderr: '',
    });
  });

  test('[HTTP-75] send the example, the token and an idempotency key', () => {
    const route = routes.find(({ operationId }) => operationId === 'editProduct')!;
    const example = {
      status: 200,
      params: { id: 7 },
      body: { version: 2, name: "Anna's", composition: null },
    };
    const [curl, typescript, inPython] = codeSamples({ ...route, idempotent: true }, example, true);

    expect(curl!.source.split(' \\\n  ')).toEqual([
      "curl --request PATCH 'https://api.example.com/api/admin/v1/products/7'",
      '--header "Authorization: Bearer $CARTE_TOKEN"',
      `--header "Idempotency-Key: $(node -p 'crypto.randomUUID()')"`,
      "--header 'Content-Type: application/json'",
      String.raw`--data '{
  "version": 2,
  "name": "Anna'\''s",
  "composition": null
}'`,
    ]);
    expect(typescript!.source).toContain(
      'composition: null\n}, { idempotencyKey: crypto.randomUUID() });',
    );
    expect(inPython!.source).toContain('        "composition": None\n    },');
  });

  test('[HTTP-75] contain no token for operations without sign-in', () => {
    const without = operations
      .filter(({ 'x-codeSamples': samples }) => !samples[0]!.source.includes('CARTE_TOKEN'))
      .map(({ operationId }) => operationId);

    expect(without).toEqual(expect.arrayContaining(['getMenu', 'changeCart', 'getOrder', 'login']));
    expect(without).not.toEqual(expect.arrayContaining(['listOrders']));
    expect(without).not.toEqual(expect.arrayContaining(['editProduct']));
  });

  testWith(python, '[HTTP-75] parse as valid Python', async (path) => {
    await writeFile(join(folder, 'all.json'), JSON.stringify(samplesIn('Python')));
    const check =
      'import json, sys\nfor each in json.load(open(sys.argv[1])): compile(each["source"], each["operationId"], "exec")';

    await expect(run(path, ['-c', check, join(folder, 'all.json')])).resolves.toMatchObject({
      stderr: '',
    });
  });
});

describeWith(chromium, 'the reference in a browser', (program) => {
  let api: TestApi;
  let browser: Browser;
  beforeAll(async () => {
    api = await startTestApi({ routes, env: { RATE_LIMIT_DOCUMENTS: 'off' } });
    browser = await startBrowser(program);
  });
  afterAll(async () => {
    await browser?.stop();
    await api?.stop();
  });

  test('[HTTP-76] shows the samples of an operation with its own origin, and keeps "Try it out"', async () => {
    const text = "document.querySelector('.code-samples pre')?.textContent";
    await browser.open(`${api.url}/docs#/Menu/getMenuRevision`);
    await browser.until('the samples are shown', text);
    const curl = await browser.run<string>(text);
    await browser.run("document.querySelectorAll('.code-samples [role=tab]')[2].click()");
    await browser.until('Python is shown', `${text}.includes('import requests')`);

    expect(curl).toContain(`curl --request GET '${api.url}/api/v1/menu/revision?organization_id=`);
    expect(await browser.run(text)).toContain(`"${api.url}/api/v1/menu/revision"`);
    expect(await browser.run("document.querySelector('.try-out__btn').textContent")).toContain(
      'Try it out',
    );
    expect(browser.errors()).toEqual([]);
  });
});
