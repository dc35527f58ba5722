import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join, matchesGlob, posix } from 'node:path';
import { parseModule } from '../../packages/dev/imports/module-facts.ts';
import { root } from './processes.ts';

/** As in Docker, the last pattern that matches the path or a parent folder decides. */
export async function dockerContext(ignoreFile: string): Promise<(path: string) => boolean> {
  const text = await readFile(join(root, ignoreFile), 'utf8');
  const patterns = text.split('\n').filter((line) => /^[^#\s]/.test(line));
  return (path) => {
    const names = (pattern: string) =>
      pattern === '*' ||
      path === pattern ||
      path.startsWith(`${pattern}/`) ||
      (pattern.startsWith('**/') && matchesGlob(path, pattern));
    const last = patterns.findLast((line) => names(line.replace(/^!/, '')));
    return last === undefined || last.startsWith('!');
  };
}

/** Returns all our modules that the entries load, and their packages. */
export async function moduleClosure(
  entries: readonly string[],
): Promise<{ modules: Set<string>; packages: Set<string> }> {
  const [modules, packages] = [new Set<string>(), new Set<string>()];
  const visit = async (file: string): Promise<void> => {
    if (modules.has(file)) return;
    modules.add(file);
    const { imports } = parseModule(file, await readFile(join(root, file), 'utf8'));
    for (const { specifier, typesOnly } of imports) {
      if (specifier === undefined || typesOnly) continue;
      if (specifier.startsWith('.')) await visit(posix.join(posix.dirname(file), specifier));
      else if (!specifier.startsWith('node:') && !builtinModules.includes(specifier))
        packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]);
    }
  };
  for (const entry of entries) await visit(entry);
  return { modules, packages };
}
