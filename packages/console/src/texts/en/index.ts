import { codes } from './codes.ts';
import { frame } from './frame.ts';
import { notificationCodes } from './notification-codes.ts';
import { operate } from './operate.ts';
import { orders } from './orders.ts';

/** Every text of the console in English. */
export const en = { ...codes, ...frame, ...notificationCodes, ...operate, ...orders };

/** The name of a text. */
export type TextKey = keyof typeof en;
export type Texts = Readonly<Record<TextKey, string>>;
