-- Browsers that receive Web Push of the portal, each for as long as its session lasts.
CREATE TABLE IF NOT EXISTS tel_push_subscriptions (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  session_id INT UNSIGNED NOT NULL,
  -- A device has one owner at a time.
  endpoint_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  -- Whoever knows an endpoint can disturb its device.
  sealed TEXT COLLATE ascii_bin NOT NULL,
  agent VARCHAR(200) NOT NULL,
  -- Of its page: contacts have none.
  language VARCHAR(20) COLLATE ascii_bin NOT NULL,
  created_at DATETIME(3) NOT NULL,
  -- When the device last said that it is there.
  seen_at DATETIME(3) NOT NULL,
  pushed_at DATETIME(3) NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_push_subscriptions_endpoint_hash_unique (endpoint_hash),
  INDEX tel_push_subscriptions_company_id_index (company_id),
  INDEX tel_push_subscriptions_contact_id_seen_at_index (contact_id, seen_at),
  INDEX tel_push_subscriptions_session_id_index (session_id),
  CONSTRAINT tel_push_subscriptions_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id),
  CONSTRAINT tel_push_subscriptions_contact_id_foreign FOREIGN KEY (contact_id)
    REFERENCES tel_contacts (id) ON DELETE CASCADE,
  CONSTRAINT tel_push_subscriptions_session_id_foreign FOREIGN KEY (session_id)
    REFERENCES tel_sessions (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- The notifications that devices show, or will once they are reached: one of each conversation, one of each fax.
CREATE TABLE IF NOT EXISTS tel_push_shown (
  subscription_id INT UNSIGNED NOT NULL,
  tag VARCHAR(40) COLLATE ascii_bin NOT NULL,
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  -- JSON: positions of the unread texts that it is about.
  message_ids VARCHAR(1000) COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (subscription_id, tag),
  INDEX tel_push_shown_tag_contact_id_index (tag, contact_id),
  CONSTRAINT tel_push_shown_subscription_id_foreign FOREIGN KEY (subscription_id)
    REFERENCES tel_push_subscriptions (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
