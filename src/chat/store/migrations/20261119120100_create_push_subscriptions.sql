-- Devices that receive Web Push. One of a browser ends with its session.
CREATE TABLE IF NOT EXISTS chat_push_subscriptions (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  session_id INT UNSIGNED NULL,
  -- A device has one owner at a time.
  endpoint_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  -- Whoever knows an endpoint can disturb its device.
  sealed TEXT COLLATE ascii_bin NOT NULL,
  agent VARCHAR(200) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  -- When the device last said that it is there.
  seen_at DATETIME(3) NOT NULL,
  pushed_at DATETIME(3) NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_push_subscriptions_endpoint_hash_unique (endpoint_hash),
  INDEX chat_push_subscriptions_realm_id_user_id_index (realm_id, user_id),
  INDEX chat_push_subscriptions_user_id_seen_at_index (user_id, seen_at),
  INDEX chat_push_subscriptions_session_id_index (session_id),
  CONSTRAINT chat_push_subscriptions_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id),
  CONSTRAINT chat_push_subscriptions_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id),
  CONSTRAINT chat_push_subscriptions_session_id_foreign FOREIGN KEY (session_id) REFERENCES chat_sessions (id)
    ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Up to which message each organisation was searched for something to push.
CREATE TABLE IF NOT EXISTS chat_push_cursors (
  realm_id INT UNSIGNED NOT NULL,
  pushed_id BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (realm_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- The notifications that devices show, or will once they are reached: one of each conversation.
CREATE TABLE IF NOT EXISTS chat_push_shown (
  subscription_id INT UNSIGNED NOT NULL,
  tag VARCHAR(100) COLLATE utf8mb4_bin NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  -- JSON: ids of the unread messages that it is about.
  message_ids VARCHAR(1000) COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (subscription_id, tag),
  INDEX chat_push_shown_user_id_index (user_id),
  CONSTRAINT chat_push_shown_subscription_id_foreign FOREIGN KEY (subscription_id)
    REFERENCES chat_push_subscriptions (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
