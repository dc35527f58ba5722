import type { Texts } from '../en/index.ts';
import { catalog } from './catalog.ts';
import { codes } from './codes.ts';
import { frame } from './frame.ts';
import { gifts } from './gifts.ts';
import { moreCodes } from './more-codes.ts';
import { operate } from './operate.ts';
import { orders } from './orders.ts';
import { people } from './people.ts';
import { rules } from './rules.ts';
import { setup } from './setup.ts';

export const ru: Texts = {
  ...catalog,
  ...codes,
  ...frame,
  ...gifts,
  ...moreCodes,
  ...operate,
  ...orders,
  ...people,
  ...rules,
  ...setup,
};
