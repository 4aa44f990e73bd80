-- How far the weekly mails of an organisation were requested: on which day, and up to which person.
CREATE TABLE IF NOT EXISTS chat_digests (
  realm_id INT UNSIGNED NOT NULL,
  day DATE NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  PRIMARY KEY (realm_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
