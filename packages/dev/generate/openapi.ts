import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { resolveProgram } from '../programs/programs.ts';
import { breakingChanges } from '../openapi/breaking.ts';

/**
 * `npm run carte -- generate openapi`: writes the description of the storefront API as it is in the
 * code. `--release` makes it the released one, against which every later change is checked; it
 * rejects a change that breaks clients (rule HTTP-17), and nothing else ever writes the released
 * one.
 */
const FOLDER = new URL('../../../api/openapi/', import.meta.url);
const RELEASED = new URL('released/public.json', FOLDER);
const print = (line: string): void => void process.stderr.write(`${line}\n`);

await write(new URL('public.json', FOLDER));
if (process.argv.includes('--release')) await release();

async function write(file: URL): Promise<void> {
  await writeFile(file, `${JSON.stringify(openApiDocument('public', routes), null, 2)}\n`);
}

async function release(): Promise<void> {
  const oasdiff = await resolveProgram('oasdiff', { log: print });
  if ('reasons' in oasdiff) throw new Error(`oasdiff is not to be had: ${oasdiff.reasons.join('; ')}`);
  const released = JSON.parse(await readFile(RELEASED, 'utf8')) as object;
  const breaks = await breakingChanges(oasdiff.path, released, openApiDocument('public', routes));
  if (breaks.length > 0) {
    print(`The public API would break its clients:\n${breaks.map((text) => `  - ${text}`).join('\n')}`);
    process.exitCode = 1;
    return;
  }
  await write(RELEASED);
}
