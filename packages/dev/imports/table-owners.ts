import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { moduleLevels, mayWriteForeignTables } from './import-rules.ts';

/** A use of a table by a statement or the ORM. */
type TableUse = {
  file: string;
  line: number;
  does: 'reads' | 'writes';
  /** Null if the table is named at run time. */
  table: string | null;
  /** The declaring module, or `kernel`. */
  owner: string | null;
};

const DECLARATIONS = ['modules/{*,*/*}/tables/*.ts', 'kernel/tables/*.ts'];
const DECLARATION = /(?:^|\/)tables\/[^/]+\.ts$/;

const WRITE = String.raw`\b(?:insert\s+into|update|delete\s+from|copy|truncate(?:\s+table)?|merge\s+into|alter\s+table|drop\s+table)\s+(?:only\s+)?`;
const WRITTEN = new RegExp(String.raw`${WRITE}"?(\w+)`, 'gi');
const COMPUTED = new RegExp(String.raw`${WRITE}$`, 'i');
const READ = /\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?"?(\w+)/gi;
const TYPED_WRITE = /^(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)$/;
const TYPED_READ = /^(?:selectFrom|from|using|(?:inner|left|right|full|cross)Join(?:Lateral)?)$/;

export function tableOwners(root: string): {
  tables: Map<string, string>;
  entities: Map<string, string>;
} {
  const tables = new Map<string, string>();
  const entities = new Map<string, string>();

  for (const file of globSync(DECLARATIONS, { cwd: root })) {
    // All readers may use views.
    const owner = file.endsWith('/views.ts') ? 'views' : findOwner(file)!;
    const source = readFileSync(join(root, file), 'utf8');

    for (const [, entity, table] of source.matchAll(
      /export const (\w+) = defineEntity\(\{[^}]*?tableName: '(\w+)'/g,
    )) {
      tables.set(table!, owner);
      entities.set(entity!, table!);
    }
  }

  return { tables, entities };
}

export function tableUses(
  file: string,
  source: string,
  { tables, entities }: ReturnType<typeof tableOwners>,
): TableUse[] {
  if (DECLARATION.test(file)) return [];
  const found: TableUse[] = [];
  const add = (does: TableUse['does'], table: string | null, offset: number): void => {
    const owner = table === null ? null : tables.get(table);
    if (owner === undefined) return;
    found.push({ file, line: source.slice(0, offset).split('\n').length, does, table, owner });
  };

  const text = (value: string, offset: number, goesOn: boolean): void => {
    for (const { 1: table = '', index } of value.matchAll(WRITTEN))
      add('writes', table.toLowerCase(), offset + index);
    for (const { 1: table = '', index } of value.matchAll(READ))
      add('reads', table.toLowerCase(), offset + index);
    if (goesOn && COMPUTED.test(value)) add('writes', null, offset);
  };

  const { program, module } = parseSync(file, source);

  for (const { moduleRequest, entries, start } of module.staticImports)
    if (DECLARATION.test(moduleRequest.value))
      for (const { importName, isType } of entries) {
        const table = entities.get(importName.name ?? '');
        if (!isType && table !== undefined) add('writes', table, start);
      }

  new Visitor({
    Literal({ value, start }) {
      if (typeof value === 'string') text(value, start, false);
    },
    TemplateLiteral({ quasis }) {
      quasis.forEach((part, at) => text(part.value.raw, part.start, at < quasis.length - 1));
    },
    CallExpression({ callee, arguments: [first], start }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { name } = callee.property;
      const does = TYPED_WRITE.test(name) ? 'writes' : TYPED_READ.test(name) ? 'reads' : undefined;
      if (does === undefined || first === undefined) return;
      const named = first.type === 'ArrayExpression' ? first.elements : [first];

      for (const element of named)
        if (element?.type === 'Literal' && typeof element.value === 'string')
          add(does, element.value.split(' ')[0]!, start);
        else if (does === 'writes') add('writes', null, start);
    },
  }).visit(program);

  return found;
}

/** Returns undefined if the use is allowed. */
export function ownerProblem({ file, does, table, owner }: TableUse): string | undefined {
  const user = findOwner(file);
  if (does === 'writes') {
    if (user !== undefined && user === owner) return undefined;
    const isAdmitted = mayWriteForeignTables.some(
      (mayWriteForeignTable) =>
        file.startsWith(mayWriteForeignTable.file) &&
        (mayWriteForeignTable.tables === 'all' ||
          mayWriteForeignTable.tables.includes(table ?? 'computed')),
    );
    if (isAdmitted) return undefined;

    if (table === null)
      return 'writes a table that the program puts in: name it, or list the file with its reason';

    return `${table} belongs to ${owner}: write it through a function of ${owner}`;
  }

  const [from, to] = [findLevel(user), findLevel(owner ?? undefined)];
  if (from === undefined || to === undefined || to <= from) return undefined;

  return `${user} is below ${owner} and may not read its table ${table}`;
}

function findOwner(file: string): string | undefined {
  return file.startsWith('kernel/') ? 'kernel' : findModule(file);
}

/**
 * Returns the module of a file, or the inner module if modules are nested. Undefined outside
 * modules and for registries.
 */
export function findModule(file: string): string | undefined {
  const [, module, inner] = /^modules\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? [];
  const name = `${module}/${inner}`;
  return findLevel(name) === undefined ? module : name;
}

/** Returns the level from 0, or undefined if there is none. */
export function findLevel(module: string | undefined): number | undefined {
  const level = moduleLevels.findIndex((names) => module !== undefined && names.includes(module));
  return level < 0 ? undefined : level;
}
