import type { ReactNode } from 'react';

type Option<T> = { value: T; label: string };
type Props<T> = {
  legend: string;
  name: string;
  options: readonly Option<T>[];
  chosen: T;
  onChoice: (value: T) => void;
};

export function Choices<T extends string>({
  legend,
  name,
  options,
  chosen,
  onChoice,
}: Props<T>): ReactNode {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <label key={value} className="option">
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            data-key={`${name}-${value}`}
            onChange={() => onChoice(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
