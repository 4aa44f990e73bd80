-- What people have written and not sent, so that all of their clients show it.
CREATE TABLE IF NOT EXISTS chat_drafts (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  -- stream, private, or empty while nobody is chosen.
  type VARCHAR(8) COLLATE ascii_bin NOT NULL,
  -- JSON: the id of the stream, or those of the people.
  recipients VARCHAR(2500) COLLATE ascii_bin NOT NULL,
  topic VARCHAR(60) NOT NULL,
  content MEDIUMTEXT NOT NULL,
  edited_at INT UNSIGNED NOT NULL,
  PRIMARY KEY (id),
  INDEX chat_drafts_user_id_edited_at_index (user_id, edited_at),
  INDEX chat_drafts_realm_id_index (realm_id),
  CONSTRAINT chat_drafts_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id),
  CONSTRAINT chat_drafts_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
