/** Knex does not publish types for its dialect classes; these are the parts we build on. */
declare module 'knex/lib/dialects/mysql2/index.js' {
  import { Knex } from 'knex';

  interface Driver {
    destroy(): void;
    __knex__disposed?: Error;
  }
  class MysqlDialect extends Knex.Client {
    _query(connection: Driver, query: { sql?: string }): Promise<unknown>;
  }
  export = MysqlDialect;
}
