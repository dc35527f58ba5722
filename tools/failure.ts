/** The `code` of a system error such as EEXIST; judged by shape, because jest's realm has another `Error`. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
