/** How guests choose in a modifier group: exactly one, any of them, or one several times. */
export const MODIFIER_UI_TYPES = ['RADIO', 'CHECKBOX', 'COUNTER'] as const;
export type ModifierGroupUiType = (typeof MODIFIER_UI_TYPES)[number];
