import { parseSync, Visitor } from 'oxc-parser';
import type {
  Expression,
  Program,
  TaggedTemplateExpression,
  TSQualifiedName,
  TSType,
} from 'oxc-parser';

export type ModuleFacts = {
  /** A computed import has no specifier. */
  imports: { specifier: string | undefined; typesOnly: boolean; line: number }[];
  /** Names without `globalThis.`: `Temporal`, `Temporal.Now`, `new Date()`, `Date()`. */
  uses: { name: string; line: number }[];
  /** `.query(…)`, and `.execute('…')` with a text or a template. */
  textStatements: { line: number }[];
  /** `tx.em`, and `{ em }` of a transaction. */
  entityManagers: { line: number }[];
  /** `sql` statements whose row type does not derive from tables (`Row`). */
  claimedRows: { line: number }[];
  /** Schemas in `responses` that this module declares itself. */
  ownAnswers: { line: number }[];
};

/**
 * Reads the facts of one module.
 * @throws Error with the position if the source cannot be parsed
 */
export function parseModule(file: string, source: string): ModuleFacts {
  const { program, module, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} does not parse: ${error.message}`);
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length;

  const imports: ModuleFacts['imports'] = [
    ...module.staticImports.map(({ moduleRequest, entries, start }) => ({
      specifier: moduleRequest.value,
      // `import './x.ts'` and `import {} from './x.ts'` have no entries but load the module.
      typesOnly: entries.length > 0 && entries.every(({ isType }) => isType),
      line: lineAt(start),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType, start }) =>
        moduleRequest === null
          ? []
          : [{ specifier: moduleRequest.value, typesOnly: isType, line: lineAt(start) }],
      ),
    ),
  ];

  const uses: ModuleFacts['uses'] = [];
  const textStatements: ModuleFacts['textStatements'] = [];
  const statements = new Set<TaggedTemplateExpression>();
  const entityManagers: ModuleFacts['entityManagers'] = [];
  const claimedRows: ModuleFacts['claimedRows'] = [];
  const isDerived = derivedRows(program);
  const ownSchemas = new Set<string>();
  const answers: Expression[] = [];
  const use = (name: string, start: number): void => void uses.push({ name, line: lineAt(start) });
  const useName = (node: Expression | TSQualifiedName['left']): void => {
    const name = node.type === 'TSQualifiedName' ? undefined : dottedName(node);
    if (name !== undefined) use(name, node.start);
  };

  new Visitor({
    ImportExpression({ source: requested, start }) {
      const literal =
        requested.type === 'Literal' && typeof requested.value === 'string'
          ? requested.value
          : undefined;

      imports.push({ specifier: literal, typesOnly: false, line: lineAt(start) });
    },
    TSImportType({ source: requested, start }) {
      imports.push({ specifier: requested.value, typesOnly: true, line: lineAt(start) });
    },
    ObjectPattern({ properties }) {
      for (const property of properties)
        if (property.type === 'Property' && isNamed(property.key, 'em'))
          entityManagers.push({ line: lineAt(property.start) });
    },
    MemberExpression(node) {
      if (isNamed(node.property, 'em')) entityManagers.push({ line: lineAt(node.property.start) });
      const name = dottedName(node);
      if (name !== undefined) use(name, node.start);
    },
    NewExpression({ callee, arguments: given, start }) {
      if (callee.type === 'Identifier' && given.length === 0) use(`new ${callee.name}()`, start);
    },
    TaggedTemplateExpression(node) {
      if (BEGINS_STATEMENT.test(node.quasi.quasis[0]?.value.raw ?? '')) statements.add(node);
    },
    CallExpression({ callee, arguments: given, start, end }) {
      if (callee.type === 'Identifier') use(`${callee.name}()`, start);
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (isNamed(callee.property, 'execute') && callee.object.type === 'TaggedTemplateExpression')
        statements.add(callee.object);
      const [first] = given;
      const isText =
        first?.type === 'TemplateLiteral' ||
        (first?.type === 'Literal' && typeof first.value === 'string');
      const { name } = callee.property;
      if ((name === 'query' && given.length > 0) || (name === 'execute' && isText))
        textStatements.push({ line: lineAt(Math.min(callee.property.start, end)) });
    },
    VariableDeclarator({ id, init }) {
      if (init !== null) useName(init);
      if (id.type === 'Identifier' && init !== null && isSchema(init)) ownSchemas.add(id.name);
    },
    Property({ key, value }) {
      if (key.type === 'Identifier' && key.name === 'responses') answers.push(value as Expression);
    },
    TSQualifiedName({ left }) {
      useName(left);
    },
  }).visit(program);

  for (const { tag, typeArguments, start } of statements) {
    const row = typeArguments?.params[0];
    if (isNamed(tag, 'sql') && row !== undefined && !isDerived(row))
      claimedRows.push({ line: lineAt(start) });
  }

  const isOwn = (node: Expression): boolean =>
    isSchema(node) || (node.type === 'Identifier' && ownSchemas.has(node.name));
  const ownAnswers = answers
    .flatMap((answer) => listNodes(answer).filter(isOwn))
    .map(({ start }) => ({ line: lineAt(start) }));

  return { imports, uses, textStatements, entityManagers, claimedRows, ownAnswers };
}

/** Returns true for a call such as `Type.Object(…)`, or of a helper. */
function isSchema(node: Expression): boolean {
  return (
    node.type === 'CallExpression' &&
    /^(Type\.\w+|Strict|Named)$/.test(dottedName(node.callee) ?? '')
  );
}

/** A template that is a whole statement, not a part. */
const BEGINS_STATEMENT = /^\s*(?:with|select|insert|update|delete|merge|table)\b/i;

/**
 * Accepts row types that derive from tables: `Row<…>` with columns, `Nullable` of it, an
 * intersection, or an alias.
 */
function derivedRows({ body }: Program): (type: TSType) => boolean {
  const aliases = new Map<string, TSType>();

  for (const statement of body) {
    const declared =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type === 'TSTypeAliasDeclaration')
      aliases.set(declared.id.name, declared.typeAnnotation);
  }

  const isDerived = (type: TSType): boolean => {
    if (type.type === 'TSIntersectionType') return type.types.every(isDerived);
    if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return false;
    const { name } = type.typeName;
    const [first, columns] = type.typeArguments?.params ?? [];
    if (name === 'Row') return columns !== undefined && columns.type !== 'TSNeverKeyword';
    if (name === 'Nullable') return first !== undefined && isDerived(first);
    const alias = aliases.get(name);

    return alias !== undefined && isDerived(alias);
  };

  return isDerived;
}

const isNamed = (node: { type: string; name?: unknown }, name: string): boolean =>
  node.type === 'Identifier' && node.name === name;

function listNodes(node: unknown): Expression[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(listNodes);
  const below = Object.entries(node).flatMap(([key, value]) =>
    key === 'parent' ? [] : listNodes(value),
  );

  return 'type' in node ? [node as Expression, ...below] : below;
}

/** Returns `a.b.c` for a chain of plain names, without a leading `globalThis`. */
function dottedName(node: Expression): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression') return undefined;
  const owner = dottedName(node.object);
  if (owner === undefined || node.property.type !== 'Identifier' || node.computed) return owner;
  return owner === 'globalThis' ? node.property.name : `${owner}.${node.property.name}`;
}
