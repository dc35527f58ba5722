import type { Node } from 'oxc-parser';
import {
  inside,
  isCallable,
  nameOf,
  readSourceNodes,
  type Callable,
  type Found,
} from './source-nodes.ts';

/** Represents a value in a sentence. */
export const VALUE = '\u0000';

type Text = { file: string; text: string };

/** Texts of problems, and expressions whose text the sources do not decide. */
export type ProblemSentences = {
  texts: Text[];
  unread: { file: string; source: string }[];
};

/** Properties whose texts become sentences of problems. */
const PROPERTIES = new Set(['detail', 'message', 'missing', 'refusal']);
const REPEATED_VALUES = new RegExp(`${VALUE}+`, 'g');
/** Names that are followed, at most. Functions may be recursive. */
const MOST_STEPS = 12;

/** Returns the key that binds a name in an object pattern. */
function keyInPattern(pattern: Node | undefined, name: string): string | undefined {
  if (pattern?.type !== 'ObjectPattern') return undefined;

  for (const property of pattern.properties) {
    if (property.type !== 'Property') continue;
    const { value } = property;
    if (nameOf(value.type === 'AssignmentPattern' ? value.left : value) === name)
      return nameOf(property.key);
  }

  return undefined;
}

/** Returns the parts of an object or array with a key; undefined if the source hides them. */
function chosenParts(node: Node, key: string | undefined): Node[] | undefined {
  if (node.type === 'ArrayExpression')
    return node.elements.flatMap((element, at) =>
      element !== null && (key === undefined || String(at) === key) ? [element] : [],
    );

  if (node.type !== 'ObjectExpression') return undefined;
  const chosen = node.properties.flatMap((property) =>
    property.type === 'Property' && (key === undefined || nameOf(property.key) === key)
      ? [property.value]
      : [],
  );

  const isOpen = node.properties.some(({ type }) => type === 'SpreadElement');

  return chosen.length === 0 && (isOpen || key === undefined) ? undefined : chosen;
}

const initOf = (found: Found): Found | undefined =>
  found.node.type === 'VariableDeclarator' && found.node.init !== null
    ? inside(found, found.node.init)
    : undefined;

/**
 * Follows names, parameters, results and properties of objects back to the texts of problems that
 * the sources write, with `VALUE` for their values.
 */
export function problemSentences(...input: Parameters<typeof readSourceNodes>): ProblemSentences {
  const nodes = readSourceNodes(...input);

  /** Definitions that the place can see: of its file, or else the only one. */
  const visible = (all: readonly Found[] = [], at: Found): readonly Found[] => {
    const own = all.filter(
      ({ source, path }) =>
        source === at.source && path.filter(isCallable).every((scope) => at.path.includes(scope)),
    );

    return own.length > 0 ? own : all.length === 1 ? all : [];
  };

  /** Returns the possible values of an expression. The expression itself if there are none. */
  function valuesOf(found: Found, steps: number): Found[] {
    const { node } = found;
    const all = (...parts: Node[]): Found[] =>
      parts.flatMap((part) => valuesOf(inside(found, part), steps));
    if (steps === 0) return [found];
    if (node.type === 'ConditionalExpression') return all(node.consequent, node.alternate);
    if (node.type === 'LogicalExpression') return all(node.left, node.right);
    if (
      node.type === 'TSAsExpression' ||
      node.type === 'TSNonNullExpression' ||
      node.type === 'TSSatisfiesExpression' ||
      node.type === 'ParenthesizedExpression' ||
      node.type === 'ChainExpression'
    )
      return all(node.expression);

    if (node.type === 'AwaitExpression') return all(node.argument);
    if (node.type === 'MemberExpression') {
      const key = node.computed ? undefined : nameOf(node.property);
      return partsOf(inside(found, node.object), key, steps) ?? [found];
    }

    if (node.type === 'CallExpression')
      return resultsOf(found, nameOf(node.callee), steps - 1) ?? [found];
    if (node.type !== 'Identifier') return [found];

    return node.name === 'undefined' ? [] : (namedValues(found, node.name, steps - 1) ?? [found]);
  }

  /** Returns the property or element of each value of an object; without a key all of them. */
  function partsOf(object: Found, key: string | undefined, steps: number): Found[] | undefined {
    const parts = valuesOf(object, steps).map((value): Found[] | undefined => {
      const chosen = chosenParts(value.node, key);
      return chosen?.flatMap((part) => valuesOf(inside(value, part), steps));
    });

    return parts.length === 0 || parts.includes(undefined)
      ? undefined
      : parts.flatMap((part) => part ?? []);
  }

  function resultsOf(call: Found, name: string | undefined, steps: number): Found[] | undefined {
    if (name === undefined) return undefined;
    const callees = [nodes.functions, nodes.constants].flatMap((all) =>
      visible(all.get(name), call).map((found) => initOf(found) ?? found),
    );
    const results = callees.flatMap((callee) => {
      const { node } = callee;
      if (!isCallable(node) || node.body === null) return [];
      if (node.body.type !== 'BlockStatement') return valuesOf(inside(callee, node.body), steps);

      return (nodes.returns.get(node) ?? []).flatMap((found) =>
        found.node.type === 'ReturnStatement' && found.node.argument !== null
          ? valuesOf(inside(found, found.node.argument), steps)
          : [],
      );
    });

    return results.length === 0 ? undefined : results;
  }

  /** Returns the values of a name. Those of a parameter are the arguments of all callers. */
  function namedValues(at: Found, name: string, steps: number): Found[] | undefined {
    const scopes = at.path.filter(isCallable).toReversed();

    for (const scope of scopes)
      for (const [index, param] of scope.params.entries()) {
        const target = param.type === 'AssignmentPattern' ? param.left : param;
        const key = keyInPattern(target, name);
        if (nameOf(target) === name || key !== undefined)
          return argumentsOf(scope, at, index, key, steps);
      }

    for (const found of nodes.destructured.get(at.source) ?? []) {
      if (found.node.type !== 'VariableDeclarator' || visible([found], at).length === 0) continue;
      const key = keyInPattern(found.node.id, name);
      if (key !== undefined) return partsOf(initOf(found)!, key, steps);
    }

    const values = visible(nodes.constants.get(name), at).flatMap((found) =>
      valuesOf(initOf(found)!, steps),
    );

    return values.length === 0 ? undefined : values;
  }

  function argumentsOf(
    callable: Callable,
    at: Found,
    index: number,
    key: string | undefined,
    steps: number,
  ): Found[] | undefined {
    const parent = at.path[at.path.indexOf(callable) - 1];
    const name = nameOf(
      callable.type === 'FunctionDeclaration'
        ? callable.id
        : parent?.type === 'VariableDeclarator'
          ? parent.id
          : undefined,
    );
    if (name === undefined) return undefined;

    const isExported = at.path.some(({ type }) => type === 'ExportNamedDeclaration');
    const callers = (nodes.calls.get(name) ?? []).filter(
      ({ source }) => isExported || source === at.source,
    );
    const values = callers.flatMap((call): Found[] => {
      const given = call.node.type === 'CallExpression' ? call.node.arguments : [];
      const spread = given.findIndex(({ type }) => type === 'SpreadElement');
      const rest = given[spread];
      if (spread >= 0 && spread <= index && rest?.type === 'SpreadElement')
        return partsOf(inside(call, rest.argument), String(index - spread), steps) ?? [call];
      const argument = given[index];
      if (argument === undefined) return [];
      const found = inside(call, argument);

      return key === undefined ? valuesOf(found, steps) : (partsOf(found, key, steps) ?? [found]);
    });

    return values.length === 0 ? undefined : values;
  }

  /** Returns the texts of an expression. `otherwise` replaces expressions without a text. */
  function textsOf(found: Found, otherwise: (value: Found) => string[]): Text[] {
    return valuesOf(found, MOST_STEPS).flatMap((value) => {
      const texts = textParts(value);
      return (texts === undefined ? otherwise(value) : combine(texts)).map((text) => ({
        file: value.source.file,
        text: text.replaceAll(REPEATED_VALUES, VALUE),
      }));
    });
  }

  /** Returns the possible texts of each part of a literal, a template or a sum. */
  function textParts(value: Found): string[][] | undefined {
    const { node } = value;
    const partTexts = (part: Node): string[] =>
      textsOf(inside(value, part), () => [VALUE]).map(({ text }) => text);
    if (node.type === 'Literal' && typeof node.value === 'string') return [[node.value]];
    if (node.type === 'TemplateLiteral')
      return node.quasis.flatMap(({ value: { cooked } }, at) => {
        const inner = node.expressions[at];
        return [[cooked ?? ''], ...(inner === undefined ? [] : [partTexts(inner)])];
      });

    if (node.type === 'BinaryExpression' && node.operator === '+')
      return [node.left, node.right].map(partTexts);

    return undefined;
  }

  const combine = (parts: readonly (readonly string[])[]): string[] =>
    parts.reduce<string[]>(
      (sums, part) => sums.flatMap((sum) => part.map((text) => sum + text)),
      [''],
    );

  const sentences: ProblemSentences = { texts: [], unread: [] };

  for (const property of nodes.properties) {
    const { node } = property;
    if (node.type !== 'Property' || !PROPERTIES.has(nameOf(node.key) ?? '')) continue;
    const texts = textsOf(inside(property, node.value), ({ node: value, source }) => {
      // The properties of objects are read by themselves.
      if (!['Literal', 'ArrayExpression', 'ObjectExpression'].includes(value.type))
        sentences.unread.push({
          file: source.file,
          source: source.text.slice(value.start, value.end),
        });

      return [];
    });

    sentences.texts.push(...texts);
  }

  return sentences;
}
