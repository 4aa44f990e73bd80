/** The OpenAPI document as tests read it: its operations and their responses. */

export interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly examples?: object }>>;
}

export interface Operation {
  readonly summary: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly responses: Readonly<Record<string, Response>>;
}

export interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export const operationsOf = ({ paths }: ApiDocument): Described[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
