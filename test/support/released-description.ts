import { readFile } from 'node:fs/promises';

/** The used part of an OpenAPI description. */
export type Schema = {
  $ref?: string;
  type?: string;
  properties: Record<string, Schema>;
  required: string[];
  items: Schema;
  anyOf: Schema[];
};
export type Operation = {
  operationId: string;
  parameters: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
};
export type Description = {
  paths: Record<string, { get: Operation }>;
  components: { schemas: Record<string, Schema> };
};

/** Reads the description of the release. */
export async function readReleased(api: 'public' | 'admin'): Promise<Description> {
  const file = new URL(`../../api/openapi/released/${api}.json`, import.meta.url);
  return JSON.parse(await readFile(file, 'utf8')) as Description;
}

export const operationsOf = (described: object): string[] =>
  Object.entries((described as { paths: Record<string, object> }).paths).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`),
  );

export const get = (copy: Description, path: string) => copy.paths[path]!.get;

export const named = ({ components }: Description, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!;

export const menu = (copy: Description) =>
  named(copy, get(copy, '/menu').responses['200']!.content['application/json']!.schema);
export const product = (copy: Description) => named(copy, menu(copy).properties['products']!.items);
export const variant = (copy: Description) =>
  named(copy, product(copy).properties['variants']!.items);

/** Removes a field. */
export const drop = (schema: Schema, name: string) => {
  delete schema.properties[name];
  schema.required = schema.required.filter((entry) => entry !== name);
};
