type Side = Readonly<Record<string, unknown>> | null;

const shortText = (value: unknown): string => {
  if (value === undefined || value === null) return '—';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};

export function Differences({ before, after }: { before: Side; after: Side }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter(
    (name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  );

  return (
    <ul>
      {changed.map((name) => (
        <li key={name}>
          <code>
            {name}: {shortText(before?.[name])} → {shortText(after?.[name])}
          </code>
        </li>
      ))}
    </ul>
  );
}
