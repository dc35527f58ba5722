export const NO_LOCKS: readonly { file: string; from: string; why: string }[] = [];
