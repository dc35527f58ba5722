/** The Temporal CLI the product is tested with: the last one that `go install` accepts (no `replace` in its go.mod). */
export const temporalVersion = '1.5.1';
