const KEPT = 'carte.order';

/** The last order of this browser; null if there is none or the guest has closed it. */
export const keptOrder = (): string | null => localStorage.getItem(KEPT);
export const keepOrder = (orderId: string): void => localStorage.setItem(KEPT, orderId);
export const forgetOrder = (): void => localStorage.removeItem(KEPT);
