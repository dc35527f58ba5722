import { readFile, writeFile } from 'node:fs/promises';
import { format, type FormatConfig } from 'oxfmt';

const root = new URL('../..', import.meta.url);

/** Writes a generated file, or with `--check` sets the exit code to 1 if it differs. */
export async function writeOrCheck(path: string, content: string, what: string): Promise<void> {
  const file = new URL(path, root);
  if (!process.argv.includes('--check')) await writeFile(file, content);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== content) {
    console.error(`${path} is out of date: run \`npm run carte -- generate ${what}\`.`);
    process.exitCode = 1;
  }
}

/** Formats like the project. @throws Error if the text does not parse. */
export async function formatted(fileName: string, text: string): Promise<string> {
  const rules = await readFile(new URL('.oxfmtrc.json', root), 'utf8');
  const { ignorePatterns: _, ...options } = JSON.parse(rules) as FormatConfig & {
    ignorePatterns: unknown;
  };
  const { code, errors } = await format(fileName, text, options);
  if (errors.length > 0) throw new Error(`${fileName} cannot be formatted: ${errors[0]!.message}`);
  return code;
}
