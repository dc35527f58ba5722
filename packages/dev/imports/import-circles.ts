import { posix } from 'node:path';
import type { ModuleFacts } from './module-facts.ts';

/** A file with its imports, types included. */
export type ImportedFile = { file: string; imports: ModuleFacts['imports'] };

/**
 * Returns every circle of imports as the files of a strongly connected component, sorted (Tarjan's algorithm). Imports of
 * types count: two files that need each other's types belong together or need a third file.
 */
export function importCircles(files: readonly ImportedFile[]): string[][] {
  const targets = new Map(files.map(({ file, imports }) => [file, targetsOf(file, imports)]));
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
    if (component.length > 1 || targets.get(file)!.includes(file)) circles.push(component.toSorted());
  };
  for (const { file } of files) if (!order.has(file)) visit(file);
  return circles;
}

function targetsOf(file: string, imports: ModuleFacts['imports']): string[] {
  return imports.flatMap(({ specifier }) =>
    specifier?.startsWith('.') === true ? [posix.join(posix.dirname(file), specifier)] : [],
  );
}
