const numbers = new WeakMap<object, number>();
let last = 0;

/**
 * Number of an object in this process, from 1. No other object ever has the same one, so a text
 * with it identifies the object without keeping it in memory.
 */
export function numberOf(object: object): number {
  let number = numbers.get(object);
  if (number === undefined) numbers.set(object, (number = last += 1));
  return number;
}
