import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importCircles, moduleCircles, type ImportedFile } from './import-circles.ts';
import * as rules from './import-rules.ts';
import { findLevel, findModule, ownerProblem, tableOwners, tableUses } from './table-owners.ts';
import { parseModule } from './module-facts.ts';
import type { ModuleFacts } from './module-facts.ts';

export type Violation = { file: string; line: number; message: string };

/**
 * Checks against `packages/dev/imports/import-rules.ts`. Too few modules are a violation, so that
 * a checker that reads nothing fails.
 */
export async function checkImports(
  root: string,
  minimumModules = rules.minimumModules,
): Promise<{ modules: number; violations: Violation[] }> {
  const folders = new Set(Object.keys(rules.imports).map((zone) => zone.split('/')[0]));
  const files = [...folders.add('modules')].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/dist', '**/node_modules'] }),
  );
  const owners = tableOwners(root);
  const violations: Violation[] = [];
  const graph: ImportedFile[] = [];

  for (const file of files.toSorted()) {
    const source = await readFile(posix.join(root, file), 'utf8');
    const facts = parseModule(file, source);
    graph.push({ file, imports: facts.imports });
    const problems = [
      ...importProblems(file, facts),
      ...useProblems(file, facts),
      ...tableProblems(file, source, owners),
      ...statementProblems(file, facts),
      ...rowProblems(file, facts),
      ...answerProblems(file, facts),
    ];

    for (const { line, message } of problems.toSorted((a, b) => a.line - b.line))
      violations.push({ file, line, message });
  }

  for (const circle of importCircles(graph))
    violations.push({
      file: circle[0]!,
      line: 1,
      message: `is in a circle of imports: ${circle.join(', ')}`,
    });

  for (const circle of moduleCircles(graph)) {
    const file = `modules/${circle[0]!}`;
    violations.push({ file, line: 1, message: `is in a circle of modules: ${circle.join(', ')}` });
  }

  if (files.length < minimumModules) {
    const message = `only ${files.length} modules were found, at least ${minimumModules} are expected`;
    violations.push({ file: root, line: 0, message });
  }

  return { modules: files.length, violations };
}

type Problem = { line: number; message: string };

function importProblems(file: string, facts: ModuleFacts): Problem[] {
  return facts.imports.flatMap(({ specifier, typesOnly, line }) => {
    const zone = findZone(file);
    if (specifier === undefined) {
      return isRoot(file) || ['test', 'bench', 'platform/db', 'packages/dev'].includes(zone)
        ? []
        : [{ line, message: 'imports a module whose name is computed' }];
    }

    if (isBuiltin(specifier)) {
      return rules.withoutNodeBuiltins.includes(zone) && !typesOnly
        ? [{ line, message: `${zone} may not import Node's ${specifier}` }]
        : [];
    }

    if (!specifier.startsWith('.')) return [];
    const target = resolveImport(file, specifier);

    return [zoneProblem(file, target, typesOnly), levelProblem(file, target)]
      .filter((message) => message !== undefined)
      .map((message) => ({ line, message }));
  });
}

const resolveImport = (file: string, specifier: string): string =>
  posix.join(posix.dirname(file), specifier);

function zoneProblem(file: string, target: string, typesOnly: boolean): string | undefined {
  const [from, to] = [findZone(file), findZone(target)];
  const access = (
    isRoot(file) ? { ...rules.imports[from], ...rules.rootMayImport } : rules.imports[from]
  )?.[to];
  if (access === 'all' || (access === 'types' && typesOnly)) return undefined;

  return access === 'types'
    ? `${from} may import only types of ${to}: ${target}`
    : `${from} may not import ${to}: ${target}`;
}

function levelProblem(file: string, target: string): string | undefined {
  const [from, to] = [findModule(file), findModule(target)];
  if (from === undefined || to === undefined) return undefined;
  for (const name of [from, to])
    if (findLevel(name) === undefined) return `${name} has no level in import-rules.ts`;
  if (findLevel(to)! <= findLevel(from)!) return undefined;

  return `${from} is below ${to} and may not import it: ${target}`;
}

function useProblems(file: string, facts: ModuleFacts): Problem[] {
  return rules.bannedUses
    .filter(({ zone }) => zone === findZone(file))
    .flatMap(({ zone, uses, reason }) =>
      uses.flatMap((banned) => {
        const found = facts.uses.filter(
          ({ name }) => name === banned || name.startsWith(`${banned}.`),
        );
        const lines = new Set(found.map(({ line }) => line));

        return [...lines].map((line) => ({
          line,
          message: `${zone} may not use ${banned}: ${reason}`,
        }));
      }),
    );
}

/** Writes of tables of other modules, and reads of tables of higher modules. */
function tableProblems(
  file: string,
  source: string,
  owners: ReturnType<typeof tableOwners>,
): Problem[] {
  if (!rules.zonesWithTables.includes(findZone(file))) return [];
  return tableUses(file, source, owners).flatMap((use) => {
    const message = ownerProblem(use);
    return message === undefined ? [] : [{ line: use.line, message }];
  });
}

/** Answers are declared once, in the `schemas/` of their module. */
function answerProblems(file: string, { ownAnswers }: ModuleFacts): Problem[] {
  if (findZone(file) !== 'api') return [];
  const message = 'declares the shape of an answer: answers are declared in schemas/';
  return [...new Set(ownAnswers.map(({ line }) => line))].map((line) => ({ line, message }));
}

/** A listed file without a text statement must leave the list. */
function statementProblems(
  file: string,
  { imports, textStatements, entityManagers }: ModuleFacts,
): Problem[] {
  if (!rules.typedZones.includes(findZone(file))) return [];
  const textImports = imports.filter(
    ({ specifier }) =>
      specifier !== undefined && resolveImport(file, specifier) === rules.textSqlModule,
  );

  const mayHave = file in rules.textStatements;
  if (mayHave && textStatements.length + textImports.length === 0)
    return [{ line: 1, message: 'is listed for statements as text and has none' }];

  return [
    ...(mayHave ? [] : textImports).map(({ line }) => ({
      line,
      message: 'may not import statements as text',
    })),
    ...(mayHave ? [] : textStatements).map(({ line }) => ({
      line,
      message: 'hands the database a statement as text: use tx.db',
    })),
    ...(rules.entityManagerFiles.includes(file) ? [] : entityManagers).map(({ line }) => ({
      line,
      message: 'uses the entity manager of the ORM: use kernel/edits.ts or tx.db',
    })),
  ];
}

/** A listed file without a manual row type must leave the list. */
function rowProblems(file: string, { claimedRows }: ModuleFacts): Problem[] {
  if (![...rules.typedZones, 'platform/db'].includes(findZone(file))) return [];
  if (!(file in rules.claimedRows))
    return claimedRows.map(({ line }) => ({
      line,
      message: 'claims the type of a row: derive it by Row',
    }));

  if (claimedRows.length > 0) return [];

  return [{ line: 1, message: 'is listed for row types that are written by hand and has none' }];
}

function isRoot(file: string): boolean {
  return rules.compositionRoots.some((root) =>
    root.endsWith('/') ? file.startsWith(root) : file === root,
  );
}

/** Returns the zone of the first matching pattern, else the top folder or package. */
function findZone(file: string): string {
  const [top = '', inside] = file.split('/');
  const folder = top === 'packages' || top === 'examples' ? `${top}/${inside}` : top;
  return rules.zones.find(({ pattern }) => pattern.test(file))?.zone ?? folder;
}

if (import.meta.main) {
  const { modules, violations } = await checkImports(
    fileURLToPath(new URL('../../..', import.meta.url)),
  );
  for (const { file, line, message } of violations) console.log(`${file}:${line} ${message}`);
  console.log(`${modules} modules, ${violations.length} violations of the import rules`);
  if (violations.length > 0) process.exitCode = 1;
}
