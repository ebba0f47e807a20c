/**
 * What maps lack in some runtimes.
 *
 * @module
 */

/** The value of a key, which is made and kept where there is none. */
export function valueAt<Key, Value>(
  map: {
    get(key: Key): Value | undefined;
    has(key: Key): boolean;
    set(key: Key, value: Value): unknown;
  },
  key: Key,
  make: (key: Key) => Value,
): Value {
  if (map.has(key)) return map.get(key)!;
  const value = make(key);
  map.set(key, value);
  return value;
}
