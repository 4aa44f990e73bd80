/** Looks external words up in a table safely: words such as `constructor` are never found. */
export const lookUp = <Entry>(table: Readonly<Record<string, Entry>>, word: string): Entry | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;
