/** Tables that words from outside are looked up in: `constructor` is such a word, and in no table. */
export const lookUp = <Entry>(table: Readonly<Record<string, Entry>>, word: string): Entry | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;
