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
    destroyRawConnection(connection: Driver): Promise<unknown>;
    _query(connection: Driver, query: { sql?: string }): Promise<unknown>;
  }
  export = MysqlDialect;
}
