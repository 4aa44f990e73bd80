/** User groups may hold other groups. */
import type { Knex } from 'knex';

const TABLE = 'chat_user_group_subgroups';

export async function up(db: Knex): Promise<void> {
  const foreign = (column: string) =>
    `CONSTRAINT ${TABLE}_${column}_foreign FOREIGN KEY (${column}) REFERENCES chat_user_groups (id) ON DELETE CASCADE`;
  await db.raw(
    `CREATE TABLE IF NOT EXISTS ${TABLE} (` +
      'group_id INT UNSIGNED NOT NULL, subgroup_id INT UNSIGNED NOT NULL, PRIMARY KEY (group_id, subgroup_id), ' +
      `INDEX ${TABLE}_subgroup_id_index (subgroup_id), ${foreign('group_id')}, ${foreign('subgroup_id')})`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable(TABLE);
}
