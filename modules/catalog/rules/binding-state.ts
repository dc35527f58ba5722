/** Whether the dish that a variant is bound to is still known: `MISSING` when it was lost for longer than the grace window (rule BND-7). */
export const BINDING_STATES = ['OK', 'MISSING'] as const;
export type BindingState = (typeof BINDING_STATES)[number];
