-- People of whom somebody wants to read nothing. Sending asks who has muted the sender.
CREATE TABLE IF NOT EXISTS chat_muted_users (
  user_id INT UNSIGNED NOT NULL,
  muted_id INT UNSIGNED NOT NULL,
  realm_id INT UNSIGNED NOT NULL,
  -- In Unix seconds.
  muted_at INT UNSIGNED NOT NULL,
  PRIMARY KEY (user_id, muted_id),
  INDEX chat_muted_users_realm_id_muted_id_index (realm_id, muted_id),
  INDEX chat_muted_users_muted_id_foreign (muted_id),
  CONSTRAINT chat_muted_users_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id),
  CONSTRAINT chat_muted_users_muted_id_foreign FOREIGN KEY (muted_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
