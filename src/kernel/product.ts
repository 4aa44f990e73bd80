/** The interface of a product: everything main.ts and workers/main.ts may know of it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ListFarEnds } from './far-ends/far-end';
import type { FarEndKeeper } from './far-ends/keeper';
import type { AccessLog } from './http/access-log';
import type { OriginReader } from './http/incoming';
import type { WireFormat } from './http/wire-format';
import type { Tenant } from './actor/address';
import type { Handbook } from './api-docs/handbook';
import type { Route } from './http/route';
import type { UnsentAnswers } from './http/connection/unsent';
import type { Workers } from './jobs/consume';
import type { WorkQueueAdmin } from './jobs/work-queue-admin';
import type { Kernel } from './kernel';
import type { Database } from './mysql/pool';
import type { TenantKeeper } from './tenants';
import type { SocketSession } from './socket/server';

/**
 * Answers a request before the Koa application sees it. False leaves the request to the application. A path that has
 * taken a request may leave it to the application later, by calling `pass`.
 */
export type FastPath = (request: IncomingMessage, response: ServerResponse, pass: () => void) => boolean;

/** What a fast path shares with the application. */
export interface FastPathParts {
  readonly accessLog: AccessLog;
  readonly unsent: UnsentAnswers;
  readonly originOf: OriginReader;
}

/** Routes under a path prefix, in one wire format. */
export interface Mount {
  readonly prefix: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each mount has callers of its own kind
  readonly wireFormat: WireFormat<any>;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly routes: readonly Route<any>[];
  readonly openFastPaths?: (parts: FastPathParts) => readonly FastPath[];
}

/**
 * A product that a process can open. `Parts` are the pieces that it consists of in one process, built once by `open`.
 *
 * Code for nodes and demo data are loaded only on demand, so that workers and commands start faster.
 */
export interface Product<Parts = unknown> {
  readonly name: string;
  /** One sentence. */
  readonly description?: string;
  /** The folder of its migrations. */
  readonly migrations: string;
  /** Its handbooks, for /docs. */
  readonly handbooks?: readonly Handbook[];
  /** The built pages that belong to it: `portal` is served at /portal and below, `index` everywhere else. */
  readonly webPages?: readonly string[];
  /** How operators manage its tenants. */
  readonly tenants?: TenantKeeper;
  /** How operators manage its work queues. */
  readonly admins?: readonly WorkQueueAdmin[];
  /** The servers of others that its tenants have connected. */
  readonly farEnds?: ListFarEnds;
  /** How operators connect them. */
  readonly farEndKeepers?: readonly FarEndKeeper[];
  /** Builds its parts and starts what each of its processes needs: publishers, listeners. Default: the kernel. */
  open?(kernel: Kernel): Promise<Parts>;
  /**
   * Loads the code that only nodes need. Called before a node connects to anything: loading blocks the process for a
   * second or more, in which deadlines would pass.
   */
  load?(): void;
  /** Its routes on this node. */
  mount?(parts: Parts): Mount | readonly Mount[];
  /** Starts what only nodes do, once this node serves. */
  serving?(parts: Parts): void;
  /** Handles each new Socket.IO connection. */
  session?(parts: Parts): SocketSession;
  /** Its jobs, for worker processes. */
  workers?(parts: Parts): Workers;
  /** A text that the product stored encrypted with SECRET_KEY; undefined if it has stored none. */
  readonly sealedSample?: (db: Database) => Promise<string | undefined>;
  /** All tenants in the database whose events are numbered. */
  readonly numberedTenants?: (db: Database) => Promise<readonly Tenant[]>;
  /** Fills an empty database with demo data. Resolves to whether it did. */
  readonly seedDemo?: (kernel: Kernel) => Promise<boolean>;
}

/** A product with its parts in this process. */
export interface OpenProduct {
  readonly product: Product;
  readonly parts: unknown;
}

export async function openProducts(kernel: Kernel, products: readonly Product[]): Promise<OpenProduct[]> {
  const open: OpenProduct[] = [];
  for (const product of products) open.push({ product, parts: product.open ? await product.open(kernel) : kernel });
  return open;
}
