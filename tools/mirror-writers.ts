import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Everything that runs in production and may hold SQL. */
const SOURCES = '{activities,api,app,db,domain,emulator,erp,platform,tools,workers,workflows}/**/*.ts';
const VERBS = String.raw`(?:insert\s+into|update|delete\s+from|copy|truncate(?:\s+table)?|merge\s+into|alter\s+table|drop\s+table)\s+(?:only\s+)?`;
const NAMED = new RegExp(`${VERBS}"?mirror_\\w+`, 'gi');
/** A table that is put in by the program may be any. */
const COMPUTED = new RegExp(String.raw`${VERBS}\$\{`, 'gi');
const TYPED = /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*['"`]mirror_\w+/g;
/** Whoever imports an entity of the mirror could write it through the ORM, without a statement. */
const MAPPED = /tableName:\s*['"`]mirror_\w+|from\s+['"`][^'"`]*db\/entities\/mirror(?:-staging)?\.ts['"`]/g;
/** The one declaration of every table. */
const DECLARATIONS = 'db/entities/';

/** A place in the sources that writes, or may write, a table of the mirror. */
export type MirrorWrite = { file: string; text: string };

/**
 * Every statement, typed or as text, that writes a table of the mirror by its name, every use of an entity that maps one, and every statement that writes a
 * computed table in a file that names a mirror table anywhere. Whitespace and line breaks do not hide one.
 */
export async function mirrorWrites(root: string): Promise<MirrorWrite[]> {
  const found: MirrorWrite[] = [];
  for await (const file of glob(SOURCES, { cwd: root })) {
    if (file.startsWith(DECLARATIONS)) continue;
    const source = await readFile(join(root, file), 'utf8');
    const computed = source.includes('mirror_') ? [...source.matchAll(COMPUTED)] : [];
    const writes = [...source.matchAll(NAMED), ...source.matchAll(TYPED), ...source.matchAll(MAPPED), ...computed];
    found.push(...writes.map(([text]) => ({ file, text: text.replaceAll(/\s+/g, ' ') })));
  }
  return found.toSorted((a, b) => a.file.localeCompare(b.file));
}
