/** The OpenAPI document of all products, without a server: their routes are described here but never run. */
import { loadConfig } from '../../../config';
import { openApiDocument } from '../../../src/kernel/api-docs/openapi';
import { productsOf } from '../../../src/products';
import type { ApiDocument } from './api-operations';

/** Stands in for the parts that products use while they list their routes. */
const stub: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' ? undefined : name === Symbol.toPrimitive ? () => '' : stub),
  apply: () => stub,
});

let made: ApiDocument | undefined;

/** Built on first use: few tests need more than a part of it. */
export function apiDocument(): ApiDocument {
  made ??= openApiDocument(
    { title: 'Partyline', version: '0', description: 'As tests see it' },
    mounts(),
  ) as ApiDocument;
  return made;
}

export const mounts = () =>
  productsOf(loadConfig({ NODE_ENV: 'test' })).flatMap((product) =>
    [product.mount?.(stub) ?? []].flat().map((mount) => ({ name: product.name, mount })),
  );
