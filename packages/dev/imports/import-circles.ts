import { posix } from 'node:path';
import type { ModuleFacts } from './module-facts.ts';
import { findLevel, findModule } from './table-owners.ts';

export type ImportedFile = { file: string; imports: ModuleFacts['imports'] };

/**
 * Returns import cycles between files. Type imports count: such files belong together or need a
 * third file.
 */
export const importCircles = (files: readonly ImportedFile[]): string[][] =>
  findCircles(new Map(files.map(({ file, imports }) => [file, listTargets(file, imports)])));

/** Returns import cycles between modules of one level, even if no file is in a cycle. */
export function moduleCircles(files: readonly ImportedFile[]): string[][] {
  const targets = new Map<string, string[]>();

  for (const { file, imports } of files) {
    const from = findModule(file);
    if (from === undefined) continue;
    const others = listTargets(file, imports).flatMap((target) => {
      const to = findModule(target);
      return to !== undefined && to !== from && findLevel(to) === findLevel(from) ? [to] : [];
    });
    targets.set(from, [...(targets.get(from) ?? []), ...others]);
  }

  return findCircles(targets);
}

/** Returns strongly connected components of a graph, each sorted (Tarjan's algorithm). */
function findCircles(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);

    for (const target of targets.get(file)!) {
      if (!targets.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }

    if (lowest.get(file) !== order.get(file)) return;
    const component = open.splice(open.indexOf(file));
    if (component.length > 1 || targets.get(file)!.includes(file))
      circles.push(component.toSorted());
  };

  for (const file of targets.keys()) if (!order.has(file)) visit(file);

  return circles;
}

function listTargets(file: string, imports: ModuleFacts['imports']): string[] {
  return imports.flatMap(({ specifier }) =>
    specifier?.startsWith('.') === true ? [posix.join(posix.dirname(file), specifier)] : [],
  );
}
