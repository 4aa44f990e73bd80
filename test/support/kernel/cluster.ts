/** Kernels and nodes for tests: any number in one process, with their own database and namespace. */
import { randomBytes } from 'node:crypto';
import type { Middleware } from 'koa';
import { loadConfig, type Config } from '../../../config';
import { seedDemo as seedChat } from '../../../src/chat/commands/demo/seed-demo';
import { openKernel, type Kernel } from '../../../src/kernel/kernel';
import type { Product } from '../../../src/kernel/product';
import { openNode, type Node } from '../../../src/node';
import { productsOf } from '../../../src/products';
import { seedDemo as seedTelephony } from '../../../src/telephony/commands/seed-demo';
import { clientOf, type TestClient } from '../http/client';
import { openTestDatabase, testEnvironment } from './database';

export type Environment = Readonly<Record<string, string>>;

export interface TestNode extends Node, TestClient {
  readonly url: string;
}

export interface Cluster {
  /** The environment of every process of this cluster. */
  readonly environment: Environment;
  config(more?: Environment): Config;
  kernel(more?: Environment): Promise<Kernel>;
  node(
    more?: Environment,
    products?: (config: Config) => Product[],
    middlewares?: readonly Middleware[],
  ): Promise<TestNode>;
  /** Fills it with the demo data of the contract. */
  seed(): Promise<void>;
  close(): Promise<void>;
}

/** Short, so that no test waits long; other tests check the defaults. */
const QUICK: Environment = {
  NODE_ENV: 'test',
  PASSWORD_ROUNDS: '1',
  LOG_LEVEL: 'silent',
  PORT: '0',
  DRAIN_NOTICE_MS: '0',
  // The minimum that production accepts: some tests open a node as in production.
  DRAIN_DEADLINE_MS: '20000',
  SWEEP_AFTER_MS: '1500',
  LEASE_MS: '1000',
  JOB_LOCK_MS: '1000',
  JOB_REPLY_POLL_MS: '100',
  // Test clients are as slow as the machine; no test waits for these.
  HEADERS_TIMEOUT_MS: '60000',
  REQUEST_TIMEOUT_MS: '120000',
  SOCKET_AUTH_MS: '60000',
  // Runs once at the start, and then not while a test counts statements.
  SAMPLE_MS: '3600000',
  // On a busy machine, compiling code delays a connection that is already established.
  MYSQL_ACQUIRE_MS: '60000',
  // All nodes of a test share its process: while another one works, a response from Redis waits unread.
  REDIS_DEADLINE_MS: '5000',
};

/** Created by the first cluster of the process. */
let demoHash: Promise<string> | undefined;

/** Without tables if the test creates them itself. */
export async function openCluster(more: Environment = {}, tables = { migrated: true }): Promise<Cluster> {
  const database = await openTestDatabase(tables);
  const environment: Environment = {
    ...QUICK,
    REDIS_URL: testEnvironment('TEST_REDIS_URL'),
    DATABASE_URL: database.url,
    NAMESPACE: `test-${randomBytes(6).toString('hex')}`,
    // One jest project runs the event tests again without the fast path.
    POLL_FAST_PATH: process.env['POLL_FAST_PATH'] ?? 'on',
    ...more,
  };
  const open: Kernel[] = [];
  const config = (extra: Environment = {}) => loadConfig({ ...environment, ...extra });
  const cluster: Cluster = {
    environment,
    config,
    async kernel(extra) {
      const kernel = await openKernel(config(extra));
      open.push(kernel);
      return kernel;
    },
    async node(extra, products = productsOf, middlewares = []) {
      const settings = config(extra);
      const node = await openNode(settings, products(settings), { middlewares });
      open.push(node.kernel);
      const url = `http://127.0.0.1:${node.port}`;
      return { ...node, url, ...clientOf(url) };
    },
    async seed() {
      const kernel = await cluster.kernel();
      await seedChat(kernel, { hash: (...asked) => (demoHash ??= kernel.passwords.hash(...asked)) });
      await seedTelephony(kernel, 'http://127.0.0.1:9981');
    },
    async close() {
      await Promise.all(open.map((kernel) => kernel.lifecycle.drain()));
      await database.drop();
    },
  };
  return cluster;
}
