const numbers = new WeakMap<object, number>();
let last = 0;

/** Identifies an object in texts of this process without keeping it in memory. */
export function numberObject(object: object): number {
  let number = numbers.get(object);
  if (number === undefined) numbers.set(object, (number = last += 1));
  return number;
}
