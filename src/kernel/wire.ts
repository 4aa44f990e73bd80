/** The type of an object on the wire, taken from its schema, so that code and API document cannot differ. */
import type { z } from 'zod';

type DeepReadonly<T> = T extends readonly unknown[] | object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** What a function may return whose value this schema describes. It may hand out lists that nobody should change. */
export type Wire<S extends z.ZodType> = DeepReadonly<z.output<S>>;
