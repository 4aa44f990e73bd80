-- Folders of streams, the same for everybody in an organisation.
CREATE TABLE IF NOT EXISTS chat_stream_folders (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  name VARCHAR(60) NOT NULL,
  description VARCHAR(1024) NOT NULL DEFAULT '',
  rendered_description MEDIUMTEXT NOT NULL,
  -- Where it stands among the folders, from 0.
  place INT UNSIGNED NOT NULL,
  is_archived TINYINT(1) NOT NULL DEFAULT 0,
  creator_id INT UNSIGNED NULL,
  created_at INT UNSIGNED NOT NULL,
  -- Names are compared as those of streams are. An archived folder keeps its name.
  name_key VARCHAR(60) COLLATE utf8mb4_bin GENERATED ALWAYS AS (LOWER(name COLLATE utf8mb4_unicode_ci)) STORED,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_stream_folders_realm_id_name_key_unique (realm_id, name_key),
  CONSTRAINT chat_stream_folders_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
