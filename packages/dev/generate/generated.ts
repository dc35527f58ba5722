import { readFile, writeFile } from 'node:fs/promises';

const root = new URL('../../..', import.meta.url);

/** Writes a generated document, or with `--check` sets the exit code to 1 when the committed one differs. */
export async function writeOrCheck(path: string, content: string, command: string): Promise<void> {
  const file = new URL(path, root);
  if (!process.argv.includes('--check')) await writeFile(file, content);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== content) {
    console.error(`${path} is not what \`npm run ${command}\` writes: run it.`);
    process.exitCode = 1;
  }
}
