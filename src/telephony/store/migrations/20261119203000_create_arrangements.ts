/**
 * What a PBX has beside its extensions: ring groups, numbers from outside, and the forwards of extensions. Orders may be
 * about any of these.
 */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`CREATE TABLE IF NOT EXISTS tel_arrangements (
    id CHAR(24) COLLATE ascii_bin NOT NULL,
    company_id CHAR(24) COLLATE ascii_bin NOT NULL,
    instance CHAR(36) COLLATE ascii_bin NOT NULL,
    kind VARCHAR(20) COLLATE ascii_bin NOT NULL,
    number BIGINT UNSIGNED NOT NULL,
    -- Of forwards: whose they are.
    extension_id CHAR(24) COLLATE ascii_bin NULL,
    -- What no two may have: the number on its instance, or the number from outside on its PBX.
    claim VARCHAR(300) COLLATE ascii_bin NOT NULL,
    -- False while its number is only reserved.
    is_visible TINYINT(1) NOT NULL,
    data TEXT NOT NULL,
    -- Who changed it last: an order, or somebody at the telephone.
    source VARCHAR(10) COLLATE ascii_bin NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE INDEX tel_arrangements_kind_claim_unique (kind, claim),
    INDEX tel_arrangements_instance_kind_number_index (instance, kind, number),
    INDEX tel_arrangements_company_id_foreign (company_id),
    INDEX tel_arrangements_extension_id_foreign (extension_id),
    CONSTRAINT tel_arrangements_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id),
    CONSTRAINT tel_arrangements_instance_foreign FOREIGN KEY (instance) REFERENCES tel_instances (uuid),
    CONSTRAINT tel_arrangements_extension_id_foreign
      FOREIGN KEY (extension_id) REFERENCES tel_extensions (id) ON DELETE CASCADE
  ) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`);
  // A migration whose process was killed runs again.
  if (await db.schema.hasColumn('tel_operations', 'object')) return;
  await db.raw(
    "ALTER TABLE tel_operations ADD COLUMN object VARCHAR(20) COLLATE ascii_bin NOT NULL DEFAULT 'extension'",
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE tel_operations DROP COLUMN object');
  await db.raw('DROP TABLE tel_arrangements');
}
