/** Knex does not publish types for its dialect classes; these are the parts we build on. */
declare module 'knex/lib/dialects/mysql2/index.js' {
  import type { Knex } from 'knex';

  interface Driver {
    destroy(): void;
    readonly stream: { destroy(): void };
    __knex__disposed?: Error;
  }
  class MysqlDialect {
    constructor(config: Knex.Config);
    /** None once it was destroyed. */
    readonly pool: { readonly destroyed: boolean; numPendingAcquires(): number } | undefined;
    acquireConnection(): Promise<Driver>;
    acquireRawConnection(): Promise<Driver>;
    releaseConnection(connection: Driver): Promise<void>;
    validateConnection(connection: Driver): boolean;
    destroy(done?: (error?: unknown) => void): Promise<void>;
    destroyRawConnection(connection: Driver): Promise<unknown>;
    _query(connection: Driver, query: { sql?: string }): Promise<unknown>;
  }
  export = MysqlDialect;
}
