// `npm run soak [-- <pattern>]`: the test command with ten times the rounds of races and crashes,
// or SOAK_FACTOR times.
process.env['SOAK_FACTOR'] ??= '10';
await import('./test.ts');
