/** Loads a module and its dependencies again without caching them, for tests that need two instances. */
declare function loadFresh<T>(file: string): T;
