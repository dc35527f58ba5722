/** Input of mediaSweep: the file behind which it begins, the first one when absent. */
export type MediaSweepInput = { after?: string | null };
