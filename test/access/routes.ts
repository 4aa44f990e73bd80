/** All routes, from the document that describes them: a new route is covered without being listed. */
import type { TestClient } from '../support/http/client';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

/** The part of JSON Schema that is used here. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export interface RouteOfDocument {
  /** Such as `GET /api/v1/users/me`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly isOpen: boolean;
  readonly operation: Operation;
}

export async function routesOf(client: TestClient, product?: string): Promise<RouteOfDocument[]> {
  const { body } = await client.call('/openapi.json');
  return Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => product === undefined || tags.includes(product))
      .map(([verb, operation]) => {
        const method = verb.toUpperCase();
        return { name: `${method} ${path}`, method, path, isOpen: operation.security.length === 0, operation };
      }),
  );
}
