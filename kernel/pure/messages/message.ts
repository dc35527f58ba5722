import type { EN } from './en.ts';

export type MessageKey = keyof typeof EN;

/** Plural branches have no parameters (HTTP-110). */
type ParamsIn<Text extends string> = Text extends `${string}{${infer Inside}}${infer Rest}`
  ? ParamOf<Inside> & ParamsIn<Rest>
  : unknown;

type ParamOf<Inside extends string> = Inside extends `${infer Name}, plural, ${string}`
  ? Readonly<Record<Name, number>>
  : Inside extends `${infer Name}, select, ${string}`
    ? Readonly<Record<Name, string>>
    : Inside extends `${string} ${string}` | `#${string}`
      ? unknown
      : Readonly<Record<Inside, string | number>>;

export type ParamsOf<K extends MessageKey> = ParamsIn<(typeof EN)[K]>;

export type Message = {
  readonly key: MessageKey;
  readonly params: Readonly<Record<string, string | number>>;
};

type ParamsOfAll<K extends MessageKey> = (
  K extends MessageKey ? (params: ParamsOf<K>) => void : never
) extends (params: infer All) => void
  ? All
  : never;

/** Optional without parameters. */
export type ParamsArgument<K extends MessageKey> =
  unknown extends ParamsOfAll<K> ? [] : [params: ParamsOfAll<K>];

export const createMessage = <K extends MessageKey>(
  key: K,
  ...[params]: ParamsArgument<K>
): Message => ({
  key,
  params: (params ?? {}) as Message['params'],
});
