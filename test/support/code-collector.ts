import { OPEN_ENUM } from '../../api/http/documents/document-schemas.ts';
import { openApiDocument } from '../../api/http/documents/openapi.ts';
import { PREFIXES } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';
import { CODE_LISTS, listCodes, type CodeListName } from '../../kernel/pure/codes.ts';

type Schema = {
  $ref?: string;
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  const?: unknown;
  [OPEN_ENUM]?: string[];
};
type Responses = Record<string, { content?: Record<string, { schema: Schema }> }>;

export type FoundCode = {
  list: CodeListName | null;
  code: string;
  operation: string;
  object: Readonly<Record<string, unknown>>;
};

const { paths, components } = JSON.parse(JSON.stringify(openApiDocument('public', routes))) as {
  paths: Record<string, Record<string, { responses: Responses }>>;
  components: { schemas: Record<string, Schema> };
};

const REF = '#/components/schemas/';

/** Collects values of open enumerations in storefront answers. */
export function codeCollector() {
  let found: FoundCode[] = [];
  return {
    /** `path` includes the query. */
    read: (
      method: string,
      path: string,
      { status, body }: { status: number; body: unknown },
    ): void => {
      const operation = findOperation(method, path);
      for (const { schema } of Object.values(operation?.responses[status]?.content ?? {}))
        found.push(
          ...codesIn(schema, body).map((code) => ({ ...code, operation: operation!.name })),
        );
    },
    /** Returns the codes since the last call. `list` is null for codes outside the code lists. */
    take: (): FoundCode[] => {
      const taken = found;
      found = [];
      return taken;
    },
  };
}

function findOperation(
  method: string,
  path: string,
): { name: string; responses: Responses } | undefined {
  const [plain = ''] = path.split('?');
  const fits = (template: string) =>
    new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(plain);
  const template = plain in paths ? plain : Object.keys(paths).find(fits);
  const operation = template === undefined ? undefined : paths[template]![method.toLowerCase()];
  if (operation === undefined) return undefined;
  return { name: `${method} ${PREFIXES.public}${template}`, responses: operation.responses };
}

type InObject = Omit<FoundCode, 'operation'>;

function codesIn(
  schema: Schema,
  value: unknown,
  object: FoundCode['object'] = {},
  name?: string,
): InObject[] {
  if (schema.$ref?.startsWith(REF) === true) {
    const referred = schema.$ref.slice(REF.length);
    return codesIn(components.schemas[referred]!, value, object, referred);
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const own = isObject ? (value as FoundCode['object']) : object;
  const { [OPEN_ENUM]: codes, anyOf = [], allOf = [], items, properties = {} } = schema;
  return [
    ...(codes !== undefined && typeof value === 'string'
      ? [{ list: findList(value, codes, name), code: value, object }]
      : []),
    ...[...anyOf, ...allOf]
      .filter((entry) => fits(entry, value))
      .flatMap((entry) => codesIn(entry, value, object)),
    ...(items !== undefined && Array.isArray(value)
      ? value.flatMap((entry) => codesIn(items, entry, own))
      : []),
    ...(isObject
      ? Object.entries(properties).flatMap(([key, member]) =>
          key in own ? codesIn(member, own[key], own) : [],
        )
      : []),
  ];
}

function fits({ $ref, ...schema }: Schema, value: unknown): boolean {
  const { properties = {} } =
    $ref?.startsWith(REF) === true ? components.schemas[$ref.slice(REF.length)]! : schema;
  return Object.entries(properties).every(
    ([key, member]) =>
      member.const === undefined ||
      (value as Record<string, unknown> | null)?.[key] === member.const,
  );
}

/** Finds the list of a code: named like the schema, or included by the enumeration. */
function findList(
  code: string,
  codes: readonly string[],
  name: string | undefined,
): CodeListName | null {
  const lists = CODE_LISTS.filter(
    (list) => list === name || listCodes(list).every((entry) => codes.includes(entry)),
  );
  const own = lists.filter((list) => (listCodes(list) as string[]).includes(code));
  return own.find((list) => list === name) ?? own[0] ?? null;
}
