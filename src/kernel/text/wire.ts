/** The type of a wire object, derived from its schema, so that code and API document cannot differ. */
import type { z } from 'zod';

type DeepReadonly<T> = T extends readonly unknown[] | object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** The return type for a value that this schema describes. Read-only, so that callers may hand out shared lists. */
export type Wire<S extends z.ZodType> = DeepReadonly<z.output<S>>;
