// `npm run worker -- <role>`. Nothing else is imported here: what the restart would throw away must not be loaded before it.
import './lean-process.ts';

await import('./worker.ts');
