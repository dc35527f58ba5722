import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { brokenRule } from '../../../kernel/pure/field-rules.ts';
import type { FieldError } from '../../../kernel/problem.ts';
import { NAME_KEYWORD } from '../../../kernel/pure/schemas.ts';
import { addOurFormats } from './formats.ts';

type Node = TSchema & {
  type?: string;
  properties?: Record<string, Node>;
  additionalProperties?: boolean | Node;
  patternProperties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  uniqueItems?: boolean;
  maxItems?: number;
  $id?: string;
  $ref?: string;
  $defs?: Record<string, Node>;
};

/**
 * Returns all field errors of an invalid value in schema order. `root` is the field of the whole
 * value. At most 13 ms; Ajv's `allErrors` needs 20 ms, because it also checks elements of too
 * long lists (decision 25).
 */
export function fieldErrors(schema: TSchema, value: unknown, root: string): FieldError[] {
  const errors: FieldError[] = [];
  walk(schema, value, [], { found: errors, root, named: new Map() });
  return errors;
}

type Walk = { found: FieldError[]; root: string; named: Map<string, Node> };
type Path = readonly string[];

/** The depth of the value was checked before. */
function walk(schema: Node, value: unknown, path: Path, to: Walk): void {
  for (const [name, each] of Object.entries(schema.$defs ?? {})) to.named.set(name, each);
  if (schema.$ref !== undefined) {
    const named = to.named.get(schema.$ref.replace('#/$defs/', ''));
    return named === undefined ? undefined : walk(named, value, path, to);
  }

  if (schema.anyOf !== undefined) return walkUnion(schema.anyOf, value, path, to);
  const judge = ownRules(schema);
  if (!judge(value)) for (const error of judge.errors ?? []) report(error, path, to);
  if (Array.isArray(value)) walkElements(schema, value, path, to);
  else if (typeof value === 'object' && value !== null)
    walkMembers(schema, value as Record<string, unknown>, path, to);
}

function walkElements(schema: Node, value: unknown[], path: Path, to: Walk): void {
  const { type, items, uniqueItems, maxItems = Infinity } = schema;
  if (type !== 'array' || value.length > maxItems) return;
  if (
    uniqueItems === true &&
    new Set(value.map((entry) => JSON.stringify(entry))).size < value.length
  )
    add(path, { code: 'duplicate', message: 'must not repeat an element' }, to);

  if (items === undefined) return;
  for (const [at, each] of value.entries()) walk(items, each, [...path, String(at)], to);
}

function walkMembers(schema: Node, value: Record<string, unknown>, path: Path, to: Walk): void {
  if (schema.type !== 'object') return;
  const { properties = {}, additionalProperties, patternProperties } = schema;
  const [ofEveryOther] = Object.values(patternProperties ?? {});
  const other = typeof additionalProperties === 'object' ? additionalProperties : ofEveryOther;

  for (const name of Object.keys(value)) {
    if (Object.hasOwn(properties, name)) continue;
    if (other !== undefined) walk(other, value[name], [...path, name], to);
    else if (additionalProperties === false)
      add([...path, name], { code: 'unknown_field', message: 'is unknown' }, to);
  }

  for (const [name, member] of Object.entries(properties)) {
    if (Object.hasOwn(value, name)) walk(member, value[name], [...path, name], to);
  }
}

/** Reports errors of branches with the right type, otherwise the allowed types. */
function walkUnion(branches: readonly Node[], value: unknown, path: Path, to: Walk): void {
  const field = toField(path, to);
  const tried = branches.map((branch) => {
    const errors: FieldError[] = [];
    walk(branch, value, path, { ...to, found: errors });
    return { branch, found: errors };
  });
  if (tried.some(({ found }) => found.length === 0)) return;

  const meant = tried.filter(
    ({ found }) => !found.some((entry) => entry.code === 'type' && entry.field === field),
  );
  if (meant.length === 0) return add(path, brokenRule('type', { type: listTypes(branches) }), to);

  const once = new Map(
    meant.flatMap(({ found }) => found).map((entry) => [`${entry.field} ${entry.code}`, entry]),
  );
  for (const entry of once.values()) to.found.push(entry);
}

function listTypes(branches: readonly Node[]): string[] {
  return branches.flatMap(({ anyOf, type }) =>
    anyOf === undefined ? (type ?? []) : listTypes(anyOf),
  );
}

function report(error: ErrorObject, path: Path, to: Walk): void {
  const { missingProperty } = error.params as { missingProperty?: string };
  add(
    missingProperty === undefined ? path : [...path, missingProperty],
    brokenRule(error.keyword, error.params, error.message),
    to,
  );
}

function add(path: Path, { code, message }: { code: string; message: string }, to: Walk): void {
  to.found.push({ field: toField(path, to), code, message });
}

function toField(path: Path, { root }: Walk): string {
  return path.join('.') || root;
}

/** Rejects too large numbers. */
const nodeAjv = addOurFormats(new Ajv({ strict: false, strictNumbers: true, allErrors: true }));
const judges = new WeakMap<Node, ValidateFunction>();
/** Compiling takes a millisecond, and most rules repeat. */
const compiled = new Map<string, ValidateFunction>();

/** Without rules for the content, to bound the number of errors. */
function ownRules(schema: Node): ValidateFunction {
  const cached = judges.get(schema);
  if (cached !== undefined) return cached;
  const {
    properties: _properties,
    additionalProperties: _additional,
    patternProperties: _pattern,
    items: _items,
    uniqueItems: _unique,
    $id: _id,
    $defs: _defs,
    description: _description,
    examples: _examples,
    [NAME_KEYWORD]: _name,
    ...own
  } = schema as Node & Record<string, unknown>;

  const key = JSON.stringify(own);
  const judge = compiled.get(key) ?? nodeAjv.compile(own);
  compiled.set(key, judge);
  judges.set(schema, judge);

  return judge;
}
