/** Names of the product's metrics in an expression of PromQL, without the endings of histograms. */
export function metricsIn(expression: string): string[] {
  const names = [...expression.matchAll(/\b(?:erp|carte|temporal)_[a-z0-9_]+/g)].map(([name]) => name);
  return [...new Set(names.map((name) => name.replace(/_seconds_(bucket|sum|count)$/, '_seconds')))];
}
