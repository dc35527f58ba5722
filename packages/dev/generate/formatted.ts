import { readFile } from 'node:fs/promises';
import { format, type FormatConfig } from 'oxfmt';

/** A text as the project formats files of this name. @throws Error when it cannot be read as what its name says. */
export async function formatted(fileName: string, text: string): Promise<string> {
  const rules = await readFile(new URL('../../../.oxfmtrc.json', import.meta.url), 'utf8');
  const { ignorePatterns: _, ...options } = JSON.parse(rules) as FormatConfig & { ignorePatterns: unknown };
  const { code, errors } = await format(fileName, text, options);
  if (errors.length > 0) throw new Error(`${fileName} cannot be formatted: ${errors[0]!.message}`);
  return code;
}
