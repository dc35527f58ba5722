const numbers = new WeakMap<object, number>();
let last = 0;

/**
 * Returns a number of the object that is unique in this process, from 1. A text with it identifies
 * the object without keeping it in memory.
 */
export function numberOf(object: object): number {
  let number = numbers.get(object);
  if (number === undefined) numbers.set(object, (number = last += 1));
  return number;
}
