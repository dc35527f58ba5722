import type { ItemOf } from '../../parts/resource.tsx';

/** An exception of the week, or a stop of the intake. */
export type Exception = ItemOf<'listScheduleExceptions'>;
