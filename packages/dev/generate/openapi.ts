import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { resolveProgram } from '../programs/programs.ts';
import { breakingChanges } from '../openapi/breaking.ts';

/**
 * `npm run carte -- generate openapi`: writes the description of the storefront API. `--release`
 * makes the current descriptions the released ones, and rejects breaking changes (HTTP-17,
 * HTTP-112).
 */
const FOLDER = new URL('../../../api/openapi/', import.meta.url);
const APIS = ['public', 'admin'] as const;
const print = (line: string): void => void process.stderr.write(`${line}\n`);

await write('public', new URL('public.json', FOLDER));
if (process.argv.includes('--release')) await release();

async function write(api: (typeof APIS)[number], file: URL): Promise<void> {
  await writeFile(file, `${JSON.stringify(openApiDocument(api, routes), null, 2)}\n`);
}

async function release(): Promise<void> {
  const oasdiff = await resolveProgram('oasdiff', { log: print });
  if ('reasons' in oasdiff)
    throw new Error(`oasdiff is not to be had: ${oasdiff.reasons.join('; ')}`);

  for (const api of APIS) {
    const file = new URL(`released/${api}.json`, FOLDER);
    const released = existsSync(file)
      ? (JSON.parse(await readFile(file, 'utf8')) as object)
      : { paths: {} };
    const breaks = await breakingChanges(oasdiff.path, released, openApiDocument(api, routes));
    if (breaks.length > 0) {
      print(
        `The ${api} API would break its clients:\n${breaks.map((text) => `  - ${text}`).join('\n')}`,
      );
      process.exitCode = 1;
    } else await write(api, file);
  }
}
