/** Loads a module and all that it needs anew, and keeps nothing of it: a test that wants two of a kind. */
declare function loadFresh<T>(file: string): T;
