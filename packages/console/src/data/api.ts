import { staffSession, type AdminApi } from '@carte/client/admin';
import { currentLanguage } from '../texts/texts.ts';

export const session = staffSession({ baseUrl: location.origin, language: currentLanguage });

export type OperationId = keyof AdminApi;

/** The options are the last argument. */
type Given<Arguments extends readonly unknown[]> =
  Required<Arguments> extends [...infer Before, unknown] ? Before : [];

export type Input<Id extends OperationId> = Given<Parameters<AdminApi[Id]>>;

export type Data<Id extends OperationId> = Exclude<Awaited<ReturnType<AdminApi[Id]>>['data'], null>;
