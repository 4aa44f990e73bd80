/** Opens one web node as a value. Several can live in one process, as they do in tests. */
import { basename, join } from 'node:path';
import type { Config } from '../config';
import { serveDocs } from './kernel/api-docs/docs';
import { serveHealth } from './kernel/health/health';
import { openApiDocument } from './kernel/api-docs/openapi';
import { openHttp, type HttpParts } from './kernel/http/server';
import { openKernel, type Kernel } from './kernel/kernel';
import { openProducts, type OpenProduct, type Product } from './kernel/product';
import { openSockets } from './kernel/socket/server';
import { serveWeb } from './kernel/web-pages/serve-web';
import { migrationFolders, productsOf } from './products';
import { version } from './version';

export interface Node {
  readonly kernel: Kernel;
  readonly open: readonly OpenProduct[];
  readonly port: number;
  /** Drains and closes the node. Resolves to false if something did not end in time. */
  close(): Promise<boolean>;
}

/** The built web pages, in `dist`. Once compiled, this file lies in `dist` too. */
const BUILT_PAGES = join(__dirname, basename(join(__dirname, '..')) === 'dist' ? '../web' : '../dist/web');

export async function openNode(
  config: Config,
  products: readonly Product[] = productsOf(config),
  { middlewares = [] }: Pick<HttpParts, 'middlewares'> = {},
): Promise<Node> {
  for (const product of products) product.load?.();
  const kernel = await openKernel(config);
  try {
    const open = await openProducts(kernel, products);
    const mounted = open.flatMap(({ product, parts }) =>
      [product.mount?.(parts) ?? []].flat().map((mount) => ({ name: product.name, mount })),
    );
    const description = products.flatMap((product) => product.description ?? []).join(' ');
    const document = () => openApiDocument({ title: 'Partyline', version, description }, mounted);
    const { metricsToken } = config;
    const webPages = products.flatMap((product) => product.webPages ?? []);
    const http = await openHttp(kernel, config, {
      mounts: mounted.map(({ mount }) => mount),
      pages: [
        serveHealth(kernel, { metricsToken, migrationFolders: migrationFolders(products) }),
        serveDocs(
          document,
          products.flatMap(({ handbooks = [] }) => handbooks),
        ),
      ],
      ...(webPages.length > 0 && { web: serveWeb(config.webDir || BUILT_PAGES, kernel.log, webPages) }),
      middlewares,
    });
    const [session] = open.flatMap(({ product, parts }) => product.session?.(parts) ?? []);
    if (session) openSockets(kernel, http.server, config, session);
    http.checkHosts();
    for (const { product, parts } of open) product.serving?.(parts);
    return { kernel, open, port: http.port, close: () => kernel.lifecycle.drain() };
  } catch (error) {
    await kernel.lifecycle.drain();
    throw error;
  }
}
