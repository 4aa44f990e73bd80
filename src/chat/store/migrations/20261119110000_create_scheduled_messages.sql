-- What people want sent later: messages of their own, and reminders of messages, which the notification bot sends them.
CREATE TABLE IF NOT EXISTS chat_scheduled_messages (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  -- Which message to remind of, and what for; null for a message to send.
  message_id BIGINT UNSIGNED NULL,
  note VARCHAR(1000) NULL,
  -- stream or private.
  type VARCHAR(8) COLLATE ascii_bin NOT NULL,
  -- JSON: the id of the stream, or those of the people.
  recipients VARCHAR(12000) COLLATE ascii_bin NOT NULL,
  topic VARCHAR(60) NOT NULL,
  content MEDIUMTEXT NOT NULL,
  rendered MEDIUMTEXT NOT NULL,
  client VARCHAR(30) NOT NULL,
  is_read_by_sender TINYINT(1) NOT NULL,
  due_at INT UNSIGNED NOT NULL,
  -- Each change has the next number. Mail for an earlier one is void.
  revision INT UNSIGNED NOT NULL DEFAULT 1,
  -- Why it could not be sent; null while it waits.
  error VARCHAR(1000) NULL,
  PRIMARY KEY (id),
  INDEX chat_scheduled_messages_user_id_due_at_index (user_id, due_at),
  INDEX chat_scheduled_messages_realm_id_index (realm_id),
  CONSTRAINT chat_scheduled_messages_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id),
  CONSTRAINT chat_scheduled_messages_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
