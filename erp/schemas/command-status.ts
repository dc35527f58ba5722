import { Type } from 'typebox';
import { maybe } from './read.ts';

/** State of an asynchronous command; an unknown state is treated as one that still goes on. */
export const CommandStatusAnswer = Type.Object({ state: Type.String(), errorReason: maybe(Type.String()) });

/** `Success` means that the command was accepted and done; its result is read by repeating the request. */
export type ErpCommandStatus = { state: 'InProgress' | 'Success' | 'Error'; reason?: string };
