import { staffSession, type AdminApi } from '@carte/client/admin';
import { currentLanguage } from '../texts/texts.ts';

/** The session of this browser. */
export const session = staffSession({ baseUrl: location.origin, language: currentLanguage });

/** An operation of the admin API, by its id. */
export type OperationId = keyof AdminApi;

/** The arguments without the options, which are the last ones. */
type Given<Arguments extends readonly unknown[]> =
  Required<Arguments> extends [...infer Before, unknown] ? Before : [];

/** The arguments of an operation before its options. */
export type Input<Id extends OperationId> = Given<Parameters<AdminApi[Id]>>;

/** The data of the answer of an operation. */
export type Data<Id extends OperationId> = Exclude<Awaited<ReturnType<AdminApi[Id]>>['data'], null>;
