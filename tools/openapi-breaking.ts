type Schema = {
  type?: string;
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
};
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Content = Record<string, { schema: Schema }>;
type Operation = { parameters?: Parameter[]; responses: Record<string, { content?: Content }> };
export type ApiDescription = { paths: Record<string, Record<string, Operation>> };

/**
 * What a client of the old description would miss or be refused in the new one, one sentence each; additions are no
 * breaks (spec 1, Versioning). Covers what our public contour uses: paths, parameters and JSON answers of GET.
 */
export function breakingChanges(before: ApiDescription, after: ApiDescription): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const next = after.paths[path]?.[method];
      if (next === undefined) return [`${name} is gone`];
      return [...parameterBreaks(name, operation, next), ...answerBreaks(name, operation, next)];
    }),
  );
}

function parameterBreaks(name: string, before: Operation, after: Operation): string[] {
  const old = before.parameters ?? [];
  const same = (a: Parameter, b: Parameter) => a.name === b.name && a.in === b.in;
  const gone = old
    .filter((parameter) => !(after.parameters ?? []).some((each) => same(each, parameter)))
    .map((parameter) => `${name}: the parameter ${parameter.name} is gone`);
  const changed = (after.parameters ?? []).flatMap((parameter) => {
    const known = old.find((each) => same(each, parameter));
    const place = `${name}: the parameter ${parameter.name}`;
    if (parameter.required === true && known?.required !== true) return [`${place} is required now`];
    if (known === undefined) return [];
    const allowed = parameter.schema.enum;
    const refused = allowed === undefined ? [] : (known.schema.enum ?? []).filter((each) => !allowed.includes(each));
    return [
      ...(known.schema.type === parameter.schema.type ? [] : [`${place} has another type`]),
      ...(known.schema.enum === undefined && allowed !== undefined ? [`${place} takes only some values now`] : []),
      ...refused.map((each) => `${place} refuses ${JSON.stringify(each)} now`),
    ];
  });
  return [...gone, ...changed];
}

function answerBreaks(name: string, before: Operation, after: Operation): string[] {
  return Object.entries(before.responses).flatMap(([status, answer]) => {
    if (!status.startsWith('2') && status !== '304') return [];
    const next = after.responses[status];
    if (next === undefined) return [`${name}: the answer ${status} is gone`];
    return Object.entries(answer.content ?? {}).flatMap(([type, { schema }]) => {
      const nextSchema = next.content?.[type]?.schema;
      return nextSchema === undefined
        ? [`${name}: the answer ${status} is no ${type} any more`]
        : schemaBreaks(`${name}: ${status}`, schema, nextSchema);
    });
  });
}

function schemaBreaks(place: string, before: Schema, after: Schema): string[] {
  if (before.anyOf !== undefined || after.anyOf !== undefined) return unionBreaks(place, before, after);
  if (before.type !== after.type) return [`${place} was ${before.type} and is ${after.type}`];
  const members = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const next = after.properties?.[name];
    const member = `${place}.${name}`;
    if (next === undefined) return [`${member} is gone`];
    const optional = before.required?.includes(name) === true && after.required?.includes(name) !== true;
    return [...(optional ? [`${member} may be absent now`] : []), ...schemaBreaks(member, schema, next)];
  });
  const elements =
    before.items !== undefined && after.items !== undefined
      ? schemaBreaks(`${place}[]`, before.items, after.items)
      : [];
  return [...members, ...elements];
}

/** A client that knew every old branch must know every new one: a value may become never null, but not newly null. */
function unionBreaks(place: string, before: Schema, after: Schema): string[] {
  const old = before.anyOf ?? [before];
  return (after.anyOf ?? [after]).flatMap((branch) => {
    const known = old.find((each) => each.type === branch.type && each.const === branch.const);
    return known === undefined ? [`${place} may be ${branch.type} now`] : schemaBreaks(place, known, branch);
  });
}
