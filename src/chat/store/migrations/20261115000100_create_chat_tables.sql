-- The tables of the chat.

-- Organisations, their people and bots, and the streams these are subscribed to.
CREATE TABLE IF NOT EXISTS chat_realms (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  subdomain VARCHAR(40) NOT NULL,
  name VARCHAR(100) NOT NULL,
  description TEXT NOT NULL,
  -- What differs from the defaults in model/realm-settings.ts.
  settings TEXT NOT NULL,
  -- The account in whose name the server itself speaks, once it has had something to say.
  notification_bot_id INT UNSIGNED NULL,
  is_active TINYINT(1) NOT NULL DEFAULT 1,
  created_at DATETIME(3) NOT NULL,
  -- JSON: which pictures were uploaded, and how often each was changed.
  pictures VARCHAR(250) COLLATE ascii_bin NOT NULL DEFAULT '{}',
  -- When to look next for messages that the organisation no longer keeps. Long ago: whoever is new is looked at soon.
  retention_due_at DATETIME(3) NOT NULL DEFAULT '2000-01-01 00:00:00.000',
  PRIMARY KEY (id),
  UNIQUE INDEX chat_realms_subdomain_unique (subdomain),
  INDEX chat_realms_retention_due_at_index (retention_due_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_users (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  email VARCHAR(254) NOT NULL,
  full_name VARCHAR(100) NOT NULL,
  short_name VARCHAR(100) NOT NULL,
  role VARCHAR(10) COLLATE ascii_bin NOT NULL,
  is_active TINYINT(1) NOT NULL DEFAULT 1,
  bot_type TINYINT UNSIGNED NULL,
  bot_owner_id INT UNSIGNED NULL,
  timezone VARCHAR(40) NOT NULL DEFAULT '',
  pointer BIGINT NOT NULL DEFAULT -1,
  -- Everything up to here is read.
  read_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  -- What differs from the defaults in model/user-settings.ts.
  settings TEXT NOT NULL,
  password_hash VARCHAR(120) COLLATE ascii_bin NULL,
  key_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  key_sealed VARCHAR(160) COLLATE ascii_bin NOT NULL,
  joined_at DATETIME(3) NOT NULL,
  -- What accounts are told apart by: the exact address, unlike in the collation, which takes many spellings for one.
  email_key VARCHAR(254) COLLATE utf8mb4_bin NULL,
  -- The unguessable part of the address of an uploaded avatar; null where there is none.
  avatar_key VARCHAR(40) COLLATE ascii_bin NULL,
  avatar_version INT UNSIGNED NOT NULL DEFAULT 1,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_users_key_hash_unique (key_hash),
  UNIQUE INDEX chat_users_realm_id_email_key_unique (realm_id, email_key),
  INDEX chat_users_bot_owner_id_foreign (bot_owner_id),
  INDEX chat_users_email_index (realm_id, email),
  CONSTRAINT chat_users_bot_owner_id_foreign FOREIGN KEY (bot_owner_id) REFERENCES chat_users (id),
  CONSTRAINT chat_users_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_recipients (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  -- Null for a stream; for a private conversation its participants, sorted, or a hash of them where they are many.
  members VARCHAR(190) COLLATE ascii_bin NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_recipients_realm_id_members_unique (realm_id, members),
  CONSTRAINT chat_recipients_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_streams (
  id INT UNSIGNED NOT NULL,
  realm_id INT UNSIGNED NOT NULL,
  name VARCHAR(60) NOT NULL,
  description VARCHAR(1024) NOT NULL DEFAULT '',
  rendered_description MEDIUMTEXT NOT NULL,
  is_private TINYINT(1) NOT NULL DEFAULT 0,
  is_announcement_only TINYINT(1) NOT NULL DEFAULT 0,
  is_history_public TINYINT(1) NOT NULL DEFAULT 1,
  is_default TINYINT(1) NOT NULL DEFAULT 0,
  is_active TINYINT(1) NOT NULL DEFAULT 1,
  -- Raised by every change of who hears the stream: a sender's list of them is right while it stands.
  version INT UNSIGNED NOT NULL DEFAULT 1,
  created_at DATETIME(3) NOT NULL,
  -- What names are compared by: case does not count, but accents and the marks of kana do, unlike in the collation.
  -- Deactivated streams give theirs up. Lowered as the connection lowers what it is compared with.
  name_key VARCHAR(60) COLLATE utf8mb4_bin
    GENERATED ALWAYS AS (IF(is_active, LOWER(name COLLATE utf8mb4_unicode_ci), NULL)) STORED,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_streams_realm_id_name_key_unique (realm_id, name_key),
  CONSTRAINT chat_streams_id_foreign FOREIGN KEY (id) REFERENCES chat_recipients (id),
  CONSTRAINT chat_streams_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_subscriptions (
  recipient_id INT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  is_active TINYINT(1) NOT NULL DEFAULT 1,
  -- The first message that was or will be received, and the last that is read.
  from_id BIGINT UNSIGNED NOT NULL,
  read_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  color VARCHAR(7) COLLATE ascii_bin NOT NULL DEFAULT '',
  is_muted TINYINT(1) NOT NULL DEFAULT 0,
  is_pinned TINYINT(1) NOT NULL DEFAULT 0,
  notify_desktop TINYINT(1) NULL,
  notify_audible TINYINT(1) NULL,
  notify_push TINYINT(1) NULL,
  notify_email TINYINT(1) NULL,
  notify_wildcard TINYINT(1) NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (recipient_id, user_id),
  INDEX chat_subscriptions_user_id_is_active_recipient_id_index (user_id, is_active, recipient_id),
  INDEX chat_subscriptions_recipient_id_is_active_user_id_index (recipient_id, is_active, user_id),
  CONSTRAINT chat_subscriptions_recipient_id_foreign FOREIGN KEY (recipient_id) REFERENCES chat_recipients (id),
  CONSTRAINT chat_subscriptions_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Messages with their topics, and what each user has read, flagged and muted: no row per recipient anywhere.
CREATE TABLE IF NOT EXISTS chat_topics (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  recipient_id INT UNSIGNED NOT NULL,
  name VARCHAR(60) NOT NULL,
  -- Topics are one whatever the case they are written in, and nothing else: unlike in the collation, accents count.
  -- Lowered as the connection lowers what it is compared with.
  name_key VARCHAR(60) COLLATE utf8mb4_bin GENERATED ALWAYS AS (LOWER(name COLLATE utf8mb4_unicode_ci)) STORED,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_topics_recipient_id_name_key_unique (recipient_id, name_key),
  CONSTRAINT chat_topics_recipient_id_foreign FOREIGN KEY (recipient_id) REFERENCES chat_recipients (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_messages (
  realm_id INT UNSIGNED NOT NULL,
  -- From the organisation's counter, in the order of the commits.
  id BIGINT UNSIGNED NOT NULL,
  recipient_id INT UNSIGNED NOT NULL,
  topic_id INT UNSIGNED NULL,
  sender_id INT UNSIGNED NOT NULL,
  topic VARCHAR(60) NOT NULL,
  content MEDIUMTEXT NOT NULL,
  rendered MEDIUMTEXT NOT NULL,
  client VARCHAR(30) NOT NULL,
  traits INT UNSIGNED NOT NULL DEFAULT 0,
  sent_at INT UNSIGNED NOT NULL,
  edited_at INT UNSIGNED NULL,
  edits MEDIUMTEXT NULL,
  -- What makes a repeated send the same message: sender, queue and local id, a delivery, or a key of the client's.
  origin VARCHAR(190) COLLATE utf8mb4_bin NULL,
  -- What its submessages add to an answer. Null for a message without any.
  submessage_bytes INT UNSIGNED NULL,
  PRIMARY KEY (realm_id, id),
  UNIQUE INDEX chat_messages_realm_id_origin_unique (realm_id, origin),
  -- What narrows look at stands in the index itself, so that passing over a message costs no look at its row.
  INDEX chat_messages_realm_id_recipient_id_id_index (realm_id, recipient_id, id, topic_id, sender_id, traits),
  INDEX chat_messages_realm_id_topic_id_id_index (realm_id, topic_id, id, recipient_id, sender_id, traits),
  INDEX chat_messages_realm_id_sender_id_id_index (realm_id, sender_id, id, recipient_id, topic_id, traits)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_receptions (
  -- Closed intervals: subscribed once, and left. The open one is the subscription's own from_id.
  user_id INT UNSIGNED NOT NULL,
  recipient_id INT UNSIGNED NOT NULL,
  from_id BIGINT UNSIGNED NOT NULL,
  to_id BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (user_id, recipient_id, from_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_topic_reads (
  user_id INT UNSIGNED NOT NULL,
  topic_id INT UNSIGNED NOT NULL,
  recipient_id INT UNSIGNED NOT NULL,
  read_id BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (user_id, topic_id),
  INDEX chat_topic_reads_user_id_recipient_id_index (user_id, recipient_id),
  INDEX chat_topic_reads_topic_id_user_id_index (topic_id, user_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_read_exceptions (
  -- Read above a cursor, or unread below one.
  user_id INT UNSIGNED NOT NULL,
  message_id BIGINT UNSIGNED NOT NULL,
  recipient_id INT UNSIGNED NOT NULL,
  is_read TINYINT(1) NOT NULL,
  PRIMARY KEY (user_id, message_id),
  INDEX chat_read_exceptions_by_recipient (user_id, is_read, recipient_id, message_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_flags (
  user_id INT UNSIGNED NOT NULL,
  flag TINYINT UNSIGNED NOT NULL,
  message_id BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (user_id, flag, message_id),
  INDEX chat_flags_message_id_user_id_index (message_id, user_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_muted_topics (
  user_id INT UNSIGNED NOT NULL,
  stream_id INT UNSIGNED NOT NULL,
  topic VARCHAR(60) COLLATE utf8mb4_bin NOT NULL,
  -- Beside it, because a generated column cannot be part of the primary key.
  topic_key VARCHAR(60) COLLATE utf8mb4_bin GENERATED ALWAYS AS (LOWER(topic COLLATE utf8mb4_unicode_ci)) STORED,
  PRIMARY KEY (user_id, stream_id, topic),
  UNIQUE INDEX chat_muted_topics_user_id_stream_id_topic_key_unique (user_id, stream_id, topic_key)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- What hangs on people and organisations besides messages: profiles, groups, emoji, linkifiers, uploads, devices.
CREATE TABLE IF NOT EXISTS chat_uploads (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  owner_id INT UNSIGNED NOT NULL,
  -- The unguessable part of its address.
  token VARCHAR(40) COLLATE ascii_bin NOT NULL,
  name VARCHAR(190) NOT NULL,
  type VARCHAR(100) COLLATE ascii_bin NOT NULL,
  size INT UNSIGNED NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_uploads_token_unique (token),
  INDEX chat_uploads_owner_id_foreign (owner_id),
  INDEX chat_uploads_realm_id_owner_id_index (realm_id, owner_id),
  CONSTRAINT chat_uploads_owner_id_foreign FOREIGN KEY (owner_id) REFERENCES chat_users (id),
  CONSTRAINT chat_uploads_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_upload_chunks (
  -- In pieces, so that no node ever holds a whole file, and reachable from every node.
  upload_id INT UNSIGNED NOT NULL,
  place INT UNSIGNED NOT NULL,
  bytes MEDIUMBLOB NOT NULL,
  PRIMARY KEY (upload_id, place),
  CONSTRAINT chat_upload_chunks_upload_id_foreign FOREIGN KEY (upload_id) REFERENCES chat_uploads (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_bots (
  -- Only where a bot differs from the defaults.
  user_id INT UNSIGNED NOT NULL,
  sending_stream_id INT UNSIGNED NULL,
  events_stream_id INT UNSIGNED NULL,
  is_all_public TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id),
  INDEX chat_bots_sending_stream_id_foreign (sending_stream_id),
  INDEX chat_bots_events_stream_id_foreign (events_stream_id),
  CONSTRAINT chat_bots_events_stream_id_foreign FOREIGN KEY (events_stream_id) REFERENCES chat_streams (id),
  CONSTRAINT chat_bots_sending_stream_id_foreign FOREIGN KEY (sending_stream_id) REFERENCES chat_streams (id),
  CONSTRAINT chat_bots_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_bot_storage (
  user_id INT UNSIGNED NOT NULL,
  name VARCHAR(190) COLLATE utf8mb4_bin NOT NULL,
  value MEDIUMTEXT NOT NULL,
  PRIMARY KEY (user_id, name),
  CONSTRAINT chat_bot_storage_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_user_statuses (
  user_id INT UNSIGNED NOT NULL,
  is_away TINYINT(1) NOT NULL DEFAULT 0,
  text VARCHAR(60) NOT NULL DEFAULT '',
  PRIMARY KEY (user_id),
  CONSTRAINT chat_user_statuses_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_alert_words (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  word VARCHAR(100) COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_alert_words_user_id_word_unique (user_id, word),
  INDEX chat_alert_words_realm_id_user_id_index (realm_id, user_id),
  CONSTRAINT chat_alert_words_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id),
  CONSTRAINT chat_alert_words_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_push_devices (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  user_id INT UNSIGNED NOT NULL,
  kind VARCHAR(4) COLLATE ascii_bin NOT NULL,
  token VARCHAR(512) COLLATE ascii_bin NOT NULL,
  app_id VARCHAR(100) NOT NULL DEFAULT '',
  PRIMARY KEY (id),
  UNIQUE INDEX chat_push_devices_user_id_kind_token_unique (user_id, kind, token),
  CONSTRAINT chat_push_devices_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_profile_fields (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  name VARCHAR(40) NOT NULL,
  hint VARCHAR(80) NOT NULL DEFAULT '',
  type TINYINT UNSIGNED NOT NULL,
  field_data MEDIUMTEXT NOT NULL,
  place INT UNSIGNED NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_profile_fields_realm_id_name_unique (realm_id, name),
  CONSTRAINT chat_profile_fields_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_profile_values (
  user_id INT UNSIGNED NOT NULL,
  field_id INT UNSIGNED NOT NULL,
  value MEDIUMTEXT NOT NULL,
  rendered MEDIUMTEXT NULL,
  PRIMARY KEY (user_id, field_id),
  INDEX chat_profile_values_field_id_foreign (field_id),
  CONSTRAINT chat_profile_values_field_id_foreign
    FOREIGN KEY (field_id) REFERENCES chat_profile_fields (id) ON DELETE CASCADE,
  CONSTRAINT chat_profile_values_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_user_groups (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  name VARCHAR(100) NOT NULL,
  description TEXT NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_user_groups_realm_id_name_unique (realm_id, name),
  CONSTRAINT chat_user_groups_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_user_group_members (
  group_id INT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  PRIMARY KEY (group_id, user_id),
  INDEX chat_user_group_members_user_id_index (user_id),
  CONSTRAINT chat_user_group_members_group_id_foreign
    FOREIGN KEY (group_id) REFERENCES chat_user_groups (id) ON DELETE CASCADE,
  CONSTRAINT chat_user_group_members_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_realm_emoji (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  name VARCHAR(100) COLLATE ascii_bin NOT NULL,
  -- The name while it may be used, null afterwards: one name may be given again.
  active_name VARCHAR(100) COLLATE ascii_bin NULL,
  author_id INT UNSIGNED NOT NULL,
  extension VARCHAR(4) COLLATE ascii_bin NOT NULL,
  bytes MEDIUMBLOB NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_realm_emoji_realm_id_active_name_unique (realm_id, active_name),
  INDEX chat_realm_emoji_author_id_foreign (author_id),
  CONSTRAINT chat_realm_emoji_author_id_foreign FOREIGN KEY (author_id) REFERENCES chat_users (id),
  CONSTRAINT chat_realm_emoji_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_linkifiers (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  pattern VARCHAR(500) COLLATE utf8mb4_bin NOT NULL,
  url_format VARCHAR(1000) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_linkifiers_realm_id_pattern_unique (realm_id, pattern),
  CONSTRAINT chat_linkifiers_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Words and where they stand, filled after the fact by a worker; a table of our own, alike in MariaDB and MySQL.
CREATE TABLE IF NOT EXISTS chat_search (
  realm_id INT UNSIGNED NOT NULL,
  -- The stem of a word, in lower case; or a trait of the message, which has a colon in it.
  word VARCHAR(32) COLLATE utf8mb4_bin NOT NULL,
  message_id BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (realm_id, word, message_id),
  -- By which the words of a changed message are found again.
  INDEX chat_search_realm_id_message_id_index (realm_id, message_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_search_cursors (
  realm_id INT UNSIGNED NOT NULL,
  -- Every message up to here is in the table.
  indexed_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  PRIMARY KEY (realm_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_search_changes (
  -- Messages that were changed or deleted since.
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  message_id BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Emoji that people put under messages.
CREATE TABLE IF NOT EXISTS chat_reactions (
  -- Their order on the wire is the order in which they came.
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  message_id BIGINT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  type VARCHAR(20) COLLATE ascii_bin NOT NULL,
  -- Code points, or the id of an emoji of the organisation's own: the same picture is the same reaction.
  code VARCHAR(100) COLLATE ascii_bin NOT NULL,
  name VARCHAR(100) COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_reactions_once (realm_id, message_id, type, code, user_id),
  INDEX chat_reactions_user_id_foreign (user_id),
  CONSTRAINT chat_reactions_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- What external services have delivered: stored at once, turned into messages by a worker.
CREATE TABLE IF NOT EXISTS chat_deliveries (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  bot_id INT UNSIGNED NOT NULL,
  integration VARCHAR(40) COLLATE ascii_bin NOT NULL,
  -- What tells a repeat: the service's own id of the delivery, or a hash of its body in a window of time.
  dedupe_key VARCHAR(190) COLLATE utf8mb4_bin NOT NULL,
  stream VARCHAR(60) NULL,
  topic VARCHAR(60) NULL,
  -- What the service sent, for operators.
  payload MEDIUMTEXT NOT NULL,
  event VARCHAR(190) NOT NULL DEFAULT '',
  -- The messages that the integration made of it, as JSON: the worker sends them.
  notices MEDIUMTEXT NOT NULL,
  state VARCHAR(8) COLLATE ascii_bin NOT NULL,
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  error TEXT NULL,
  message_id BIGINT UNSIGNED NULL,
  created_at DATETIME(3) NOT NULL,
  finished_at DATETIME(3) NULL,
  -- What failed for good is told to the bot's owner, once. Which private message tells of it: chosen before it is
  -- sent, so that a repeat is the same message.
  notice CHAR(24) COLLATE ascii_bin NULL,
  notified_at DATETIME(3) NULL,
  due_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  PRIMARY KEY (id),
  UNIQUE INDEX chat_deliveries_dedupe_key (dedupe_key, bot_id),
  INDEX chat_deliveries_bot_id_state_id_index (bot_id, state, id),
  INDEX chat_deliveries_state_created_at_index (state, created_at),
  INDEX chat_deliveries_integration (integration, id),
  INDEX chat_deliveries_unnotified (state, notified_at, bot_id),
  INDEX chat_deliveries_finished (state, finished_at),
  INDEX chat_deliveries_due (state, due_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Host names of their own that organisations are reached by, besides their subdomains.
CREATE TABLE IF NOT EXISTS chat_realm_hosts (
  host VARCHAR(253) COLLATE ascii_bin NOT NULL,
  realm_id INT UNSIGNED NOT NULL,
  -- The first is the one that links lead to.
  place TINYINT UNSIGNED NOT NULL,
  PRIMARY KEY (host),
  INDEX chat_realm_hosts_realm_id_place_index (realm_id, place),
  CONSTRAINT chat_realm_hosts_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Which messages link which files: whoever may see such a message may see the file.
CREATE TABLE IF NOT EXISTS chat_upload_links (
  -- Without a reference: a file that is deleted while a message about it is sent must not fail the message.
  upload_id INT UNSIGNED NOT NULL,
  realm_id INT UNSIGNED NOT NULL,
  message_id BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (upload_id, message_id),
  INDEX chat_upload_links_realm_id_message_id_index (realm_id, message_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Secrets by which services sign what they deliver to a bot. A bot without one takes whatever comes with its key.
CREATE TABLE IF NOT EXISTS chat_bot_signatures (
  user_id INT UNSIGNED NOT NULL,
  scheme VARCHAR(20) COLLATE ascii_bin NOT NULL,
  secret_sealed TEXT COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (user_id),
  CONSTRAINT chat_bot_signatures_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Pictures that people upload of themselves, of their bots and of their organisation, and thumbnails of files.
CREATE TABLE IF NOT EXISTS chat_avatars (
  user_id INT UNSIGNED NOT NULL,
  realm_id INT UNSIGNED NOT NULL,
  avatar_key VARCHAR(40) COLLATE ascii_bin NOT NULL,
  small MEDIUMBLOB NOT NULL,
  medium MEDIUMBLOB NOT NULL,
  PRIMARY KEY (user_id),
  UNIQUE INDEX chat_avatars_avatar_key_unique (avatar_key),
  INDEX chat_avatars_realm_id_foreign (realm_id),
  CONSTRAINT chat_avatars_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id),
  CONSTRAINT chat_avatars_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_realm_pictures (
  realm_id INT UNSIGNED NOT NULL,
  kind VARCHAR(12) COLLATE ascii_bin NOT NULL,
  bytes MEDIUMBLOB NOT NULL,
  PRIMARY KEY (realm_id, kind),
  CONSTRAINT chat_realm_pictures_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_upload_thumbnails (
  upload_id INT UNSIGNED NOT NULL,
  extension VARCHAR(4) COLLATE ascii_bin NULL,
  bytes MEDIUMBLOB NULL,
  PRIMARY KEY (upload_id),
  CONSTRAINT chat_upload_thumbnails_upload_id_foreign
    FOREIGN KEY (upload_id) REFERENCES chat_uploads (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- The domains of addresses with which an organisation lets people join, where it restricts them.
CREATE TABLE IF NOT EXISTS chat_realm_domains (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  domain VARCHAR(255) COLLATE ascii_bin NOT NULL,
  allow_subdomains TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_realm_domains_realm_id_domain_unique (realm_id, domain),
  CONSTRAINT chat_realm_domains_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Groups of streams that somebody new may choose to begin with.
CREATE TABLE IF NOT EXISTS chat_stream_groups (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  name VARCHAR(60) COLLATE utf8mb4_bin NOT NULL,
  description VARCHAR(1024) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_stream_groups_realm_id_name_unique (realm_id, name),
  CONSTRAINT chat_stream_groups_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_stream_group_streams (
  group_id INT UNSIGNED NOT NULL,
  stream_id INT UNSIGNED NOT NULL,
  PRIMARY KEY (group_id, stream_id),
  INDEX chat_stream_group_streams_stream_id_index (stream_id),
  CONSTRAINT chat_stream_group_streams_group_id_foreign
    FOREIGN KEY (group_id) REFERENCES chat_stream_groups (id) ON DELETE CASCADE,
  CONSTRAINT chat_stream_group_streams_stream_id_foreign FOREIGN KEY (stream_id) REFERENCES chat_streams (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- What people add to a message that is a poll or a list of tasks: the widget, votes, tasks.
CREATE TABLE IF NOT EXISTS chat_submessages (
  realm_id INT UNSIGNED NOT NULL,
  message_id BIGINT UNSIGNED NOT NULL,
  -- From 1, in the order in which they came.
  place INT UNSIGNED NOT NULL,
  sender_id INT UNSIGNED NOT NULL,
  type VARCHAR(100) COLLATE utf8mb4_bin NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (realm_id, message_id, place)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Archives of an organisation that its administrators ask for, in pieces as uploads are.
CREATE TABLE IF NOT EXISTS chat_exports (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  acting_user_id INT UNSIGNED NOT NULL,
  state VARCHAR(10) COLLATE ascii_bin NOT NULL,
  -- Raised by every worker that begins: the pieces of an earlier one count for nothing.
  attempt INT UNSIGNED NOT NULL DEFAULT 0,
  progress TINYINT UNSIGNED NOT NULL DEFAULT 0,
  size BIGINT UNSIGNED NULL,
  sha256 CHAR(64) COLLATE ascii_bin NULL,
  created_at DATETIME(3) NOT NULL,
  touched_at DATETIME(3) NOT NULL,
  ended_at DATETIME(3) NULL,
  deleted_at DATETIME(3) NULL,
  PRIMARY KEY (id),
  INDEX chat_exports_acting_user_id_foreign (acting_user_id),
  INDEX chat_exports_realm_id_id_index (realm_id, id),
  INDEX chat_exports_state_touched_at_index (state, touched_at),
  CONSTRAINT chat_exports_acting_user_id_foreign FOREIGN KEY (acting_user_id) REFERENCES chat_users (id),
  CONSTRAINT chat_exports_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_export_chunks (
  export_id INT UNSIGNED NOT NULL,
  attempt INT UNSIGNED NOT NULL,
  place INT UNSIGNED NOT NULL,
  bytes MEDIUMBLOB NOT NULL,
  PRIMARY KEY (export_id, attempt, place)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Mail that waits, was sent or has failed. A row says what the mail is about; its text is written when it is sent.
CREATE TABLE IF NOT EXISTS chat_mails (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  kind VARCHAR(20) COLLATE ascii_bin NOT NULL,
  recipient VARCHAR(254) NOT NULL,
  -- JSON, as each kind needs it: ids, never a token.
  about TEXT NOT NULL,
  state VARCHAR(8) COLLATE ascii_bin NOT NULL,
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  error TEXT NULL,
  -- The text, where mail is shown to developers instead of being sent.
  shown MEDIUMTEXT NULL,
  due_at DATETIME(3) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  finished_at DATETIME(3) NULL,
  PRIMARY KEY (id),
  INDEX chat_mails_state_due_at_index (state, due_at),
  INDEX chat_mails_state_finished_at_index (state, finished_at),
  INDEX chat_mails_realm_id_kind_created_at_index (realm_id, kind, created_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Invitations that nobody has accepted yet: to one address, or reusable links without an address.
CREATE TABLE IF NOT EXISTS chat_invitations (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  inviter_id INT UNSIGNED NOT NULL,
  -- Null: a reusable link.
  email VARCHAR(254) NULL,
  email_key VARCHAR(254) COLLATE utf8mb4_bin NULL,
  role VARCHAR(10) COLLATE ascii_bin NOT NULL,
  -- JSON.
  stream_ids TEXT NOT NULL,
  -- The token is derived from the nonce with SECRET_KEY, and found by its hash.
  nonce CHAR(24) COLLATE ascii_bin NOT NULL,
  token_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  invited_at DATETIME(3) NOT NULL,
  expires_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_invitations_token_hash_unique (token_hash),
  INDEX chat_invitations_inviter_id_foreign (inviter_id),
  INDEX chat_invitations_realm_id_email_key_index (realm_id, email_key),
  INDEX chat_invitations_expires_at_index (expires_at),
  CONSTRAINT chat_invitations_inviter_id_foreign FOREIGN KEY (inviter_id) REFERENCES chat_users (id),
  CONSTRAINT chat_invitations_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Links that set a new password, each for one mail. Using one of them ends all of the user's.
CREATE TABLE IF NOT EXISTS chat_password_resets (
  mail_id BIGINT UNSIGNED NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  -- The token is derived from the nonce with SECRET_KEY, and found by its hash.
  nonce CHAR(24) COLLATE ascii_bin NOT NULL,
  token_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  expires_at DATETIME(3) NOT NULL,
  PRIMARY KEY (mail_id),
  UNIQUE INDEX chat_password_resets_token_hash_unique (token_hash),
  INDEX chat_password_resets_user_id_foreign (user_id),
  INDEX chat_password_resets_expires_at_index (expires_at),
  CONSTRAINT chat_password_resets_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Mentions and private messages whose readers were away, until they are mailed; and how far messages were looked at.
CREATE TABLE IF NOT EXISTS chat_missed_messages (
  user_id INT UNSIGNED NOT NULL,
  message_id BIGINT UNSIGNED NOT NULL,
  realm_id INT UNSIGNED NOT NULL,
  recipient_id INT UNSIGNED NOT NULL,
  topic_id INT UNSIGNED NULL,
  sender_id INT UNSIGNED NOT NULL,
  sent_at INT UNSIGNED NOT NULL,
  PRIMARY KEY (user_id, message_id),
  INDEX chat_missed_messages_sent_at_user_id_index (sent_at, user_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_missed_cursors (
  realm_id INT UNSIGNED NOT NULL,
  noted_id BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (realm_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Outgoing webhook bots: where each one's program is reached, and the messages that it is to be told of.
CREATE TABLE IF NOT EXISTS chat_bot_endpoints (
  user_id INT UNSIGNED NOT NULL,
  realm_id INT UNSIGNED NOT NULL,
  name VARCHAR(100) NOT NULL,
  interface TINYINT UNSIGNED NOT NULL,
  -- An address may hold a password, and often is one.
  url_sealed TEXT COLLATE ascii_bin NOT NULL,
  token_sealed TEXT COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (user_id),
  INDEX chat_bot_endpoints_realm_id_index (realm_id),
  CONSTRAINT chat_bot_endpoints_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_outgoing_calls (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  realm_id INT UNSIGNED NOT NULL,
  bot_id INT UNSIGNED NOT NULL,
  message_id BIGINT UNSIGNED NOT NULL,
  -- What the message did: mention the bot, or go to it alone.
  cause VARCHAR(15) COLLATE ascii_bin NOT NULL,
  state VARCHAR(8) COLLATE ascii_bin NOT NULL,
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  error TEXT NULL,
  -- The message in which the bot answered.
  answer_id BIGINT UNSIGNED NULL,
  due_at DATETIME(3) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  finished_at DATETIME(3) NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_outgoing_calls_bot_id_message_id_unique (bot_id, message_id),
  INDEX chat_outgoing_calls_bot_id_state_due_at_index (bot_id, state, due_at),
  INDEX chat_outgoing_calls_state_due_at_index (state, due_at),
  INDEX chat_outgoing_calls_state_finished_at_index (state, finished_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Sessions of people who signed in with a browser.
CREATE TABLE IF NOT EXISTS chat_sessions (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  user_id INT UNSIGNED NOT NULL,
  token_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  -- Whether another server said who it is.
  is_external TINYINT(1) NOT NULL DEFAULT 0,
  agent VARCHAR(200) NOT NULL,
  address VARCHAR(45) COLLATE ascii_bin NOT NULL,
  created_at DATETIME(3) NOT NULL,
  last_used_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX chat_sessions_token_hash_unique (token_hash),
  INDEX chat_sessions_user_id_last_used_at_index (user_id, last_used_at),
  CONSTRAINT chat_sessions_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Second factors of people, and what an organisation asks of those who sign in.
CREATE TABLE IF NOT EXISTS chat_two_factor (
  user_id INT UNSIGNED NOT NULL,
  secret_sealed VARCHAR(160) COLLATE ascii_bin NOT NULL,
  -- False until its owner has shown a code of it.
  is_on TINYINT(1) NOT NULL DEFAULT 0,
  -- Codes of this half minute and of those before it were used.
  last_step BIGINT UNSIGNED NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id),
  CONSTRAINT chat_two_factor_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_recovery_codes (
  user_id INT UNSIGNED NOT NULL,
  code_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (user_id, code_hash),
  CONSTRAINT chat_recovery_codes_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_sign_in_rules (
  realm_id INT UNSIGNED NOT NULL,
  is_two_factor_required TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (realm_id),
  CONSTRAINT chat_sign_in_rules_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Servers at which people of an organisation may sign in, and who they are there.
CREATE TABLE IF NOT EXISTS chat_openid_providers (
  realm_id INT UNSIGNED NOT NULL,
  name VARCHAR(30) COLLATE ascii_bin NOT NULL,
  display_name VARCHAR(50) NOT NULL,
  issuer VARCHAR(255) COLLATE ascii_bin NOT NULL,
  client_id VARCHAR(255) NOT NULL,
  client_secret_sealed TEXT COLLATE ascii_bin NOT NULL,
  -- A list in JSON; an empty one lets in addresses of every domain.
  domains TEXT NOT NULL,
  creates_accounts TINYINT(1) NOT NULL,
  PRIMARY KEY (realm_id, name),
  CONSTRAINT chat_openid_providers_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS chat_openid_identities (
  realm_id INT UNSIGNED NOT NULL,
  -- Of the issuer and of who it is there.
  identity_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  PRIMARY KEY (realm_id, identity_hash),
  INDEX chat_openid_identities_user_id_index (user_id),
  CONSTRAINT chat_openid_identities_realm_id_foreign FOREIGN KEY (realm_id) REFERENCES chat_realms (id),
  CONSTRAINT chat_openid_identities_user_id_foreign FOREIGN KEY (user_id) REFERENCES chat_users (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
