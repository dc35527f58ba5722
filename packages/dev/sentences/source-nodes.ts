import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  parseSync,
  type ArrowFunctionExpression,
  type Function as FunctionNode,
  type Node,
} from 'oxc-parser';

export type Source = { file: string; text: string };
/** A node with the nodes around it, outermost first. */
export type Found = { node: Node; path: readonly Node[]; source: Source };
export type Callable = FunctionNode | ArrowFunctionExpression;

/** Nodes of all sources that decide the values of a name. */
export type SourceNodes = {
  properties: Found[];
  /** By the name of the function. */
  calls: ReadonlyMap<string, Found[]>;
  functions: ReadonlyMap<string, Found[]>;
  constants: ReadonlyMap<string, Found[]>;
  /** Declarations of several names. */
  destructured: ReadonlyMap<Source, Found[]>;
  returns: ReadonlyMap<Callable, Found[]>;
};

export const isCallable = (node: Node): node is Callable =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression';

/** Returns the name of an identifier or the value of a literal. */
export const nameOf = (node: Node | null | undefined): string | undefined =>
  node?.type === 'Identifier'
    ? node.name
    : node?.type === 'Literal'
      ? String(node.value)
      : undefined;

/** Returns a part of a found node. */
export const inside = (found: Found, node: Node): Found => ({
  ...found,
  node,
  path: [...found.path, found.node],
});

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Parses the sources of the patterns and indexes their nodes. Types are left out. */
export function readSourceNodes(
  root: string,
  patterns: readonly string[],
  isLeftOut: (file: string) => boolean,
): SourceNodes {
  const nodes = {
    properties: [] as Found[],
    calls: new Map<string, Found[]>(),
    functions: new Map<string, Found[]>(),
    constants: new Map<string, Found[]>(),
    destructured: new Map<Source, Found[]>(),
    returns: new Map<Callable, Found[]>(),
  };

  const put = <Key>(map: Map<Key, Found[]>, key: Key | undefined, found: Found): void => {
    if (key === undefined) return;
    const list = map.get(key);
    if (list === undefined) map.set(key, [found]);
    else list.push(found);
  };

  const visit = (found: Found): void => {
    const { node, path, source } = found;
    if (/^TS(?!As|NonNull|Satisfies)/.test(node.type)) return;
    if (node.type === 'Property' && path.at(-1)?.type === 'ObjectExpression')
      nodes.properties.push(found);
    if (node.type === 'CallExpression') put(nodes.calls, nameOf(node.callee), found);
    if (node.type === 'FunctionDeclaration') put(nodes.functions, nameOf(node.id), found);
    if (node.type === 'ReturnStatement') put(nodes.returns, path.findLast(isCallable), found);
    if (node.type === 'VariableDeclarator' && node.init !== null) {
      if (node.id.type === 'Identifier') put(nodes.constants, node.id.name, found);
      else put(nodes.destructured, source, found);
    }

    for (const value of Object.values(node) as unknown[])
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) visit(inside(found, child));
  };

  for (const file of patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted()) {
    if (isLeftOut(file)) continue;
    const text = readFileSync(join(root, file), 'utf8');
    visit({ node: parseSync(file, text).program, path: [], source: { file, text } });
  }

  return nodes;
}
