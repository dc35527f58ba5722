import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as rules from './import-rules.ts';
import { ownerProblem, tableOwners, tableUses } from './table-owners.ts';
import { parseModule } from './module-facts.ts';
import type { ModuleFacts } from './module-facts.ts';

export type Violation = { file: string; line: number; message: string };

/**
 * Checks every `.ts` file of the known top folders below `root` against `packages/dev/imports/import-rules.ts`: whom it imports, which globals it
 * uses, and whose tables it reads and writes.
 * Returns the number of modules read and all violations; too few modules are a violation themselves, so a checker
 * that reads nothing cannot pass.
 */
export async function checkImports(
  root: string,
  minimumModules = rules.minimumModules,
): Promise<{ modules: number; violations: Violation[] }> {
  const files = Object.keys(rules.layers).flatMap((layer) =>
    globSync(`${layer}/**/*.ts`, { cwd: root, exclude: ['**/dist'] }),
  );
  const owners = tableOwners(root);
  const violations: Violation[] = [];
  for (const file of files.toSorted()) {
    const source = await readFile(posix.join(root, file), 'utf8');
    const facts = parseModule(file, source);
    const problems = [
      ...importProblems(file, facts),
      ...useProblems(file, facts),
      ...tableProblems(file, source, owners),
      ...statementProblems(file, facts),
      ...answerProblems(file, facts),
    ];
    for (const { line, message } of problems.toSorted((a, b) => a.line - b.line))
      violations.push({ file, line, message });
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
    if (specifier === undefined) {
      return isRoot(file) || ['test', 'bench', 'db', 'packages/dev'].includes(layerOf(file))
        ? []
        : [{ line, message: 'imports a module whose name is computed' }];
    }
    if (isBuiltin(specifier)) {
      return rules.withoutNodeBuiltins.includes(layerOf(file)) && !typesOnly
        ? [{ line, message: `${layerOf(file)}/ may not import Node's ${specifier}` }]
        : [];
    }
    if (!specifier.startsWith('.')) return [];
    const target = posix.join(posix.dirname(file), specifier);
    return [
      layerProblem(file, target, typesOnly),
      capabilityProblem(file, target),
      eventProblem(file, target, typesOnly),
    ]
      .filter((message) => message !== undefined)
      .map((message) => ({ line, message }));
  });
}

function layerProblem(file: string, target: string, typesOnly: boolean): string | undefined {
  const from = layerOf(file);
  const to = layerOf(target);
  const access = (isRoot(file) ? { ...rules.rootMayImport, ...rules.layers[from] } : rules.layers[from])?.[to];
  if (access === 'all' || (access === 'types' && typesOnly)) return undefined;
  return access === 'types'
    ? `${from}/ may import only types of ${to}/: ${target}`
    : `${from}/ may not import ${to}/: ${target}`;
}

function capabilityProblem(file: string, target: string): string | undefined {
  if (isRoot(file)) return undefined;
  const from = levelOf(file);
  const to = levelOf(target);
  if (from === undefined || to === undefined || to.level <= from.level) return undefined;
  return `${from.capability} comes before ${to.capability} and may not import it: ${target}`;
}

function eventProblem(file: string, target: string, typesOnly: boolean): string | undefined {
  const { folder, mayNotImportCapabilitiesOf, assembledIn } = rules.events;
  if (assembledIn.includes(target) && !typesOnly && !isRoot(file) && layerOf(file) !== 'test')
    return `only composition roots put capabilities together: ${target}`;
  if (!file.startsWith(folder) || !mayNotImportCapabilitiesOf.includes(layerOf(target))) return undefined;
  return levelOf(target) === undefined && !assembledIn.includes(target)
    ? undefined
    : `${folder} delivers events and knows no capability: ${target}`;
}

function useProblems(file: string, facts: ModuleFacts): Problem[] {
  return rules.bannedUses
    .filter(({ layer }) => layer === layerOf(file))
    .flatMap(({ layer, uses, reason }) =>
      uses.flatMap((banned) => {
        const found = facts.uses.filter(({ name }) => name === banned || name.startsWith(`${banned}.`));
        const lines = new Set(found.map(({ line }) => line));
        return [...lines].map((line) => ({ line, message: `${layer}/ may not use ${banned}: ${reason}` }));
      }),
    );
}

/** Statements and uses of entities that write tables of another capability, or read those of one that comes later. */
function tableProblems(file: string, source: string, owners: ReturnType<typeof tableOwners>): Problem[] {
  if (!rules.layersWithTables.includes(layerOf(file))) return [];
  return tableUses(file, source, owners).flatMap((use) => {
    const message = ownerProblem(use);
    return message === undefined ? [] : [{ line: use.line, message }];
  });
}

/** An answer is declared once, in `contracts/`, and its use case has the type of it. */
function answerProblems(file: string, { ownAnswers }: ModuleFacts): Problem[] {
  if (layerOf(file) !== 'api') return [];
  const message = 'declares the shape of an answer: answers are declared in contracts/';
  return [...new Set(ownAnswers.map(({ line }) => line))].map((line) => ({ line, message }));
}

/** Statements as text are left to a short list of files, and a file that has none leaves the list. */
function statementProblems(file: string, { textStatements }: ModuleFacts): Problem[] {
  if (!rules.typedLayers.includes(layerOf(file))) return [];
  const mayHave = file in rules.textStatements;
  if (mayHave && textStatements.length === 0)
    return [{ line: 1, message: 'is listed for statements as text and has none' }];
  if (mayHave) return [];
  return textStatements.map(({ line }) => ({ line, message: 'hands the database a statement as text: use tx.db' }));
}

function isRoot(file: string): boolean {
  return rules.compositionRoots.some((root) => (root.endsWith('/') ? file.startsWith(root) : file === root));
}

/** The top folder of a file, or its package. */
function layerOf(file: string): string {
  const [top = '', inside] = file.split('/');
  return top === 'packages' ? `${top}/${inside}` : top;
}

/** The capability a file belongs to: the first folder or file name below the layer that is one. */
function levelOf(file: string): { capability: string; level: number } | undefined {
  const [layer = '', ...rest] = file.replace(/\.ts$/, '').split('/');
  if (!rules.capabilityLayers.includes(layer)) return undefined;
  for (const capability of rest) {
    const level = rules.capabilityLevels.findIndex((names) => names.includes(capability));
    if (level >= 0) return { capability, level };
  }
  return undefined;
}

if (import.meta.main) {
  const { modules, violations } = await checkImports(fileURLToPath(new URL('../../..', import.meta.url)));
  for (const { file, line, message } of violations) console.log(`${file}:${line} ${message}`);
  console.log(`${modules} modules, ${violations.length} violations of the import rules`);
  if (violations.length > 0) process.exitCode = 1;
}
