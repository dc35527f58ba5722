import type { EN } from './en.ts';

/** The code of a message of the catalog. */
export type MessageKey = keyof typeof EN;

/** The parameters in an ICU text. Branches of a plural have none (rule HTTP-110). */
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

/** The parameters of a message, from its English text. */
export type ParamsOf<K extends MessageKey> = ParamsIn<(typeof EN)[K]>;

/** A message without its language. */
export type Message = { readonly key: MessageKey; readonly params: Readonly<Record<string, string | number>> };

/** The parameters of all messages of a union of codes. */
type ParamsOfAll<K extends MessageKey> = (K extends MessageKey ? (params: ParamsOf<K>) => void : never) extends (
  params: infer All,
) => void
  ? All
  : never;

/** Parameters as arguments: none for messages without parameters. */
export type ParamsArgument<K extends MessageKey> = unknown extends ParamsOfAll<K> ? [] : [params: ParamsOfAll<K>];

/** A message of the catalog with its parameters. */
export const messageOf = <K extends MessageKey>(key: K, ...[params]: ParamsArgument<K>): Message => ({
  key,
  params: (params ?? {}) as Message['params'],
});
