/** What a product is to the processes that open it: everything main.ts and workers/main.ts may know of it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessLog } from './http/access-log';
import type { WireFormat } from './http/wire-format';
import type { Tenant } from './actor/address';
import type { Handbook } from './api-docs/handbook';
import type { Route } from './http/route';
import type { UnsentAnswers } from './http/unsent';
import type { Workers } from './jobs/consume';
import type { Desk } from './jobs/desk';
import type { Kernel } from './kernel';
import type { Database } from './mysql/pool';
import type { TenantKeeper } from './tenants';
import type { SocketSession } from './socket/server';

/** Answers a request before the Koa application sees it; false leaves the request to the application. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/** What a fast path shares with the application. */
export interface FastPathParts {
  readonly accessLog: AccessLog;
  readonly unsent: UnsentAnswers;
}

/** Routes under a path, spoken in one wire format. */
export interface Mount {
  readonly prefix: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each mount has callers of its own kind
  readonly wireFormat: WireFormat<any>;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly routes: readonly Route<any>[];
  readonly openFastPath?: (parts: FastPathParts) => FastPath;
}

/**
 * What a process can open. `Parts` is what the product is made of in one process, built once by `open`.
 *
 * A product loads what only nodes need when a node asks for it, and its demo data when they are wanted: workers
 * and commands take less time to start without.
 */
export interface Product<Parts = unknown> {
  readonly name: string;
  /** What it is, in a sentence. */
  readonly description?: string;
  /** Folder of its migrations. */
  readonly migrations: string;
  /** Pages about it, for /docs. */
  readonly handbooks?: readonly Handbook[];
  /** Which of the built pages are for it: `portal` is at /portal and below, `index` everywhere else. */
  readonly webPages?: readonly string[];
  /** How operators look after those who use it. */
  readonly tenants?: TenantKeeper;
  /** Where operators look after its work. */
  readonly desks?: readonly Desk[];
  /** Builds its parts and starts what every process of it needs: publishers, listeners. Without it, its parts are the kernel. */
  open?(kernel: Kernel): Promise<Parts>;
  /** Its routes on this node. */
  mount?(parts: Parts): Mount | readonly Mount[];
  /** Starts what nodes alone do, once this one serves. */
  serving?(parts: Parts): void;
  /** What it does with each new Socket.IO connection. */
  session?(parts: Parts): SocketSession;
  /** Its jobs, as worker processes run them. */
  workers?(parts: Parts): Workers;
  /** A text that it stored encrypted with SECRET_KEY; undefined while it has stored none. */
  readonly sealedSample?: (db: Database) => Promise<string | undefined>;
  /** Everybody in the database whose events are numbered. */
  readonly numberedTenants?: (db: Database) => Promise<readonly Tenant[]>;
  /** Fills an empty database with demo data. Resolves to whether it did. */
  readonly seedDemo?: (kernel: Kernel) => Promise<boolean>;
}

/** A product with the parts that it has in this process. */
export interface OpenProduct {
  readonly product: Product;
  readonly parts: unknown;
}

export async function openProducts(kernel: Kernel, products: readonly Product[]): Promise<OpenProduct[]> {
  const open: OpenProduct[] = [];
  for (const product of products) open.push({ product, parts: product.open ? await product.open(kernel) : kernel });
  return open;
}
