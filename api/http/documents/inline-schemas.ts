type Json = Record<string, unknown>;

const COMPONENTS = '#/components/schemas/';

const joinName = (...words: readonly string[]): string =>
  words
    .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const singular = (name: string): string =>
  name
    .replace(/ies$/, 'y')
    .replace(/(s|x)es$/, '$1')
    .replace(/([^s])s$/, '$1');

const alternativesOf = (schema: Json): Json[] => (schema['anyOf'] ?? []) as Json[];

const needsName = (schema: Json): boolean =>
  schema['properties'] !== undefined ||
  schema['enum'] !== undefined ||
  alternativesOf(schema).filter(({ type }) => type !== 'null').length > 1;

/**
 * Names inline schemas, which client generators would otherwise number (rule HTTP-74). The name is
 * the title, or the component or operation with the field. Throws if two different schemas have one
 * name.
 */
export function nameInlineSchemas(description: Json): Json {
  const { components, paths, ...rest } = description as {
    components: { schemas: Record<string, Json> };
    paths: Record<string, Record<string, Json>>;
  };

  const named = new Map<string, string>();
  const define = (name: string, schema: Json): void => {
    const text = JSON.stringify(schema);
    if ((named.get(name) ?? text) !== text)
      throw new Error(`Two different schemas are named ${name}`);
    named.set(name, text);
  };

  const fields = (parts: unknown, nameBelow: (field: string) => string): Json =>
    Object.fromEntries(
      Object.entries(parts as Record<string, Json>).map(([field, part]) => [
        field,
        refer(part, nameBelow(field)),
      ]),
    );

  const PARTS: Readonly<Record<string, (value: unknown, name: string) => unknown>> = {
    properties: (value, name) => fields(value, (field) => name + joinName(field)),
    patternProperties: (value, name) => fields(value, () => singular(name)),
    items: (value, name) => refer(value as Json, singular(name)),
    anyOf: (value, name) => (value as Json[]).map((part) => refer(part, name)),
  };

  const withNamedParts = (schema: Json, name: string): Json =>
    Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [
        keyword,
        PARTS[keyword]?.(value, name) ?? value,
      ]),
    );

  function refer(schema: Json, name: string): Json {
    if (!needsName(schema)) return withNamedParts(schema, name);
    const { title = name, description: text, ...shape } = schema as Json & { title?: string };
    define(title, withNamedParts(shape, title));
    return { ...(text === undefined ? {} : { description: text }), $ref: COMPONENTS + title };
  }

  function namedOperation(operation: Json): Json {
    const {
      operationId,
      parameters = [],
      requestBody,
    } = operation as {
      operationId: string;
      parameters?: { name: string; schema: Json }[];
      requestBody?: { content: Record<string, { schema: Json }> };
    };

    const own = joinName(operationId);
    const content = Object.entries(requestBody?.content ?? {}).map(
      ([type, { schema, ...media }]) => {
        // Client generators turn form members into arguments.
        const named = (type === 'application/json' ? refer : withNamedParts)(
          schema,
          `${own}Payload`,
        );

        return [type, { schema: named, ...media }];
      },
    );

    return {
      ...operation,
      parameters: parameters.map(({ schema, ...parameter }) => ({
        ...parameter,
        schema: refer(schema, own + joinName(parameter.name)),
      })),
      ...(requestBody === undefined
        ? {}
        : { requestBody: { ...requestBody, content: Object.fromEntries(content) } }),
    };
  }

  for (const [name, schema] of Object.entries(components.schemas))
    define(name, withNamedParts(schema, name));
  const namedPaths = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [method, namedOperation(operation)]),
    ),
  ]);

  const schemas = [...named].toSorted(([one], [other]) => (one < other ? -1 : 1));

  return {
    ...rest,
    paths: Object.fromEntries(namedPaths) as Json,
    components: {
      ...components,
      schemas: Object.fromEntries(schemas.map(([n, text]) => [n, JSON.parse(text) as Json])),
    },
  };
}
