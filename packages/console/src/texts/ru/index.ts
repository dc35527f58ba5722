import type { Texts } from '../en/index.ts';
import { codes } from './codes.ts';
import { frame } from './frame.ts';
import { notificationCodes } from './notification-codes.ts';
import { operate } from './operate.ts';
import { orders } from './orders.ts';

/** Every text of the console in Russian. */
export const ru: Texts = { ...codes, ...frame, ...notificationCodes, ...operate, ...orders };
