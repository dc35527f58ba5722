/** `must` completes a sentence after the variable's name (OPS-24). */
export type ProductionRule = { isBroken: (value: string) => boolean; must: string };

type Options = {
  secret?: boolean;
  production?: ProductionRule;
  /** Replaced only by tests, undocumented, rejected in production. */
  isConstant?: boolean;
};

/** `parse` throws an error that describes an invalid text. */
type Declared<T> = Options & {
  describe: string;
  fallback: string | null;
  parse: (text: string) => T;
};

export type Variable<T> = Declared<T> & { group: string };

/** Declares a variable. Null fallback: required in processes that read it. */
export const define = <T>(
  fallback: string | null,
  parse: (text: string) => T,
  describe: string,
  options: Options = {},
): Declared<T> => ({ fallback, parse, describe, ...options });

/** Declares a constant that only tests replace. */
export const constant = <T>(
  fallback: string,
  parse: (text: string) => T,
  describe: string,
): Declared<T> =>
  define(fallback, parse, describe, {
    isConstant: true,
    production: { isBroken: () => true, must: 'is a constant and must not be set' },
  });

/** Sets the heading of `docs/configuration.md`. */
export const group = <const V extends Record<string, Declared<unknown>>>(
  name: string,
  variables: V,
): { [K in keyof V]: V[K] & { group: string } } =>
  Object.fromEntries(
    Object.entries(variables).map(([key, variable]) => [key, { ...variable, group: name }]),
  ) as {
    [K in keyof V]: V[K] & { group: string };
  };

export type ValuesOf<V extends Record<string, Variable<unknown>>> = {
  [K in keyof V]: ReturnType<V[K]['parse']>;
};

export type Source = Readonly<Record<string, string | undefined>>;

/** A condition that requires other variables, or is a problem. */
export type Demand = { when: (source: Source, isProduction: boolean) => boolean } & (
  | { needs: readonly string[]; because: string }
  | { problem: string }
);

export const text = (input: string) => input;
export const optional = (input: string) => (input === '' ? null : input);

export const integer = (min: number, max: number) => (input: string) => {
  const value = Number(input);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`must be a whole number from ${min} to ${max}`);
  return value;
};

/** Parses a duration such as 45s to ms. */
export const duration = (input: string) => {
  const value = parseDuration(input);
  if (value === undefined || value === 0)
    throw new Error('must be a duration such as 45s, 5m or 1h');
  return value;
};

/** Longer timers overflow to 1 ms. */
export const timerDuration = (input: string) => {
  const value = duration(input);
  if (value > LONGEST_TIMER_MS) throw new Error('must be at most 24 days');
  return value;
};

/** Parses a number of requests; `off` is null. */
export const rate = (input: string) => (input === 'off' ? null : integer(1, 10_000_000)(input));

export const flag = (input: string) => {
  if (input !== 'on' && input !== 'off') throw new Error('must be on or off');
  return input === 'on';
};

/** Parses a boolean like OpenTelemetry. */
export const truth = (input: string) => oneOf('true', 'false')(input.toLowerCase()) === 'true';

export const share = (input: string) => {
  const value = Number(input);
  if (input.trim() === '' || !(value >= 0 && value <= 1))
    throw new Error('must be a number from 0 to 1');
  return value;
};

/** Parses a boolean like Temporal's tools. Empty is null. */
export const optionalTruth = (input: string) => {
  if (!['', 'true', 'false'].includes(input)) throw new Error('must be true, false or empty');
  return input === '' ? null : input === 'true';
};

export const oneOf =
  <const T extends string>(...values: T[]) =>
  (input: string): T => {
    if (!(values as string[]).includes(input))
      throw new Error(`must be one of ${values.join(', ')}`);
    return input as T;
  };

/** Splits at commas and drops empty parts. */
export const list = (input: string) =>
  input
    .split(',')
    .map((part) => part.trim())
    .filter((entry) => entry !== '');

/** Returns a parser of URLs. Removes the trailing slash. */
export const url =
  (...protocols: string[]) =>
  (input: string) => {
    if (!URL.canParse(input) || !protocols.includes(new URL(input).protocol))
      throw new Error(`must be a URL of ${protocols.join(' or ')}`);
    return input.replace(/\/$/, '');
  };

export const optionalUrl = (input: string) => (input === '' ? null : url('http:', 'https:')(input));

/** Without a trailing slash, for appended paths; empty is null. */
export const optionalBaseUrl = (input: string) => {
  const base = optionalUrl(input);
  if (base === null) return null;
  const { username, password, search, hash, href } = new URL(base);
  if (username !== '' || password !== '' || search !== '' || hash !== '' || /[?#\s,{}]/.test(base))
    throw new Error('must be a URL without user, query, fragment, comma, space and braces');

  return href.replace(/\/+$/, '');
};

/** Unchanged, because issuers are compared literally; empty is null. */
export const optionalIssuer = (input: string) => (optionalUrl(input) === null ? null : input);

/** Parses a time such as 04:30. */
export const timeOfDay = (input: string) => {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(input);
  if (match === null) throw new Error('must be a time such as 04:30');
  return { hour: Number(match[1]), minute: Number(match[2]) };
};

export const timeZone = (input: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: input }).format();
  } catch {
    throw new Error('must be an IANA time zone such as Europe/Moscow');
  }

  return input;
};

export const FORBIDDEN: ProductionRule = { isBroken: () => true, must: 'must not be set' };

export const not = (forbidden: string): ProductionRule => ({
  isBroken: (value) => value === forbidden,
  must: `must not be ${forbidden}`,
});

/** Only the internal network resolves names without a dot. */
const isNear = ({ hostname }: URL) =>
  ['127.0.0.1', '[::1]'].includes(hostname) || /^[^.[]+$/.test(hostname);
const isPlain = (value: string) => /^http:/i.test(value);
const leavesInPlain = (value: string) =>
  isPlain(value) && URL.canParse(value) && !isNear(new URL(value));

export const HTTPS: ProductionRule = { isBroken: isPlain, must: 'must be https' };

/** These URLs get credentials and personal data. */
export const HTTPS_OUTSIDE: ProductionRule = {
  isBroken: leavesInPlain,
  must: 'must be https, unless it names this host or a host of the own network without a dot,',
};

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `45s`, `5m`, `1h`, `250ms`, `14d` to ms; undefined if invalid. */
function parseDuration(text: string): number | undefined {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
}
