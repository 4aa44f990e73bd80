-- The tables of telephony.

-- Companies with their keys, contacts, locations and PBX instances.
CREATE TABLE IF NOT EXISTS tel_companies (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  name VARCHAR(190) NOT NULL,
  status VARCHAR(20) NOT NULL,
  details TEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_companies_name_unique (name)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_keys (
  key_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  created_at DATETIME(3) NOT NULL,
  -- What an owner knows of the company's API keys.
  name VARCHAR(100) NOT NULL DEFAULT '',
  rights VARCHAR(10) COLLATE ascii_bin NOT NULL DEFAULT 'write',
  last_used_at DATETIME(3) NULL,
  ends_at DATETIME(3) NULL,
  PRIMARY KEY (key_hash),
  INDEX tel_keys_company_id_index (company_id),
  CONSTRAINT tel_keys_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_contacts (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  is_primary TINYINT(1) NOT NULL,
  work_email VARCHAR(254) NOT NULL,
  first_name VARCHAR(100) NOT NULL,
  last_name VARCHAR(100) NOT NULL,
  is_activated TINYINT(1) NOT NULL DEFAULT 1,
  details TEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  invited_at DATETIME(3) NULL,
  invitation_ends_at DATETIME(3) NULL,
  accepted_at DATETIME(3) NULL,
  invitation_hash CHAR(64) COLLATE ascii_bin NULL,
  last_enter_at DATETIME(3) NULL,
  -- What contacts are told apart by: the exact address, unlike in the collation, which takes many spellings for one.
  work_email_key VARCHAR(254) COLLATE utf8mb4_bin NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_contacts_invitation_hash_unique (invitation_hash),
  UNIQUE INDEX tel_contacts_company_id_work_email_key_unique (company_id, work_email_key),
  INDEX tel_contacts_company_id_first_name_index (company_id, first_name),
  INDEX tel_contacts_work_email_index (company_id, work_email),
  -- Whoever signs in names an address and no company.
  INDEX tel_contacts_by_email_key (work_email_key),
  CONSTRAINT tel_contacts_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_locations (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  name VARCHAR(190) NOT NULL,
  details TEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  INDEX tel_locations_company_id_index (company_id),
  CONSTRAINT tel_locations_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_instances (
  uuid CHAR(36) COLLATE ascii_bin NOT NULL,
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  location_id CHAR(24) COLLATE ascii_bin NOT NULL,
  backend VARCHAR(20) NOT NULL,
  address VARCHAR(254) NOT NULL,
  details TEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  credentials TEXT NULL,
  PRIMARY KEY (uuid),
  UNIQUE INDEX tel_instances_id_unique (id),
  INDEX tel_instances_location_id_foreign (location_id),
  INDEX tel_instances_company_id_index (company_id),
  CONSTRAINT tel_instances_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id),
  CONSTRAINT tel_instances_location_id_foreign FOREIGN KEY (location_id) REFERENCES tel_locations (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_extensions (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  pbx CHAR(36) COLLATE ascii_bin NOT NULL,
  number BIGINT UNSIGNED NOT NULL,
  name VARCHAR(100) NOT NULL,
  description VARCHAR(255) NOT NULL,
  user_id CHAR(24) COLLATE ascii_bin NULL,
  location_id CHAR(24) COLLATE ascii_bin NOT NULL,
  purpose VARCHAR(20) COLLATE ascii_bin NOT NULL,
  -- False while its number is only reserved.
  is_visible TINYINT(1) NOT NULL,
  data TEXT NOT NULL,
  credentials TEXT NOT NULL,
  -- Lower case, so that a search need not fold each row; searched byte by byte, many times faster than as characters.
  -- Bytes of UTF-8 sort as its characters do. As long as the longest text may be.
  search_text VARBINARY(1600) NOT NULL,
  user_text VARBINARY(1200) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  is_alone TINYINT(1) GENERATED ALWAYS AS (LENGTH(user_text) = 0) VIRTUAL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_extensions_pbx_number_unique (pbx, number),
  INDEX tel_extensions_location_id_foreign (location_id),
  -- Every list is read from this index or the next alone; rows are fetched for one page.
  INDEX tel_extensions_listed (pbx, is_visible, number, purpose, search_text, user_text),
  INDEX tel_extensions_user_id_number_index (user_id, number),
  INDEX tel_extensions_company_id_is_visible_number_index (company_id, is_visible, number),
  INDEX tel_extensions_by_user (pbx, is_visible, is_alone, user_text, number, purpose, search_text),
  CONSTRAINT tel_extensions_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id),
  CONSTRAINT tel_extensions_location_id_foreign FOREIGN KEY (location_id) REFERENCES tel_locations (id),
  CONSTRAINT tel_extensions_pbx_foreign FOREIGN KEY (pbx) REFERENCES tel_instances (uuid),
  CONSTRAINT tel_extensions_user_id_foreign FOREIGN KEY (user_id) REFERENCES tel_contacts (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Who did what.
CREATE TABLE IF NOT EXISTS tel_audit (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  contact_id CHAR(24) COLLATE ascii_bin NULL,
  address VARCHAR(64) COLLATE ascii_bin NOT NULL,
  action VARCHAR(40) COLLATE ascii_bin NOT NULL,
  object_type VARCHAR(20) COLLATE ascii_bin NOT NULL,
  object_id VARCHAR(36) COLLATE ascii_bin NOT NULL,
  detail TEXT NOT NULL,
  at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  INDEX tel_audit_company_id_id_index (company_id, id),
  INDEX tel_audit_company_id_object_id_id_index (company_id, object_id, id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Orders to PBXs, which are the truth about them.
CREATE TABLE IF NOT EXISTS tel_operations (
  -- Their order on an instance.
  number BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  instance CHAR(36) COLLATE ascii_bin NOT NULL,
  kind VARCHAR(20) COLLATE ascii_bin NOT NULL,
  extension_id CHAR(24) COLLATE ascii_bin NOT NULL,
  extension_number BIGINT UNSIGNED NOT NULL,
  -- Encrypted: it may hold credentials.
  payload TEXT NULL,
  contact_id CHAR(24) COLLATE ascii_bin NULL,
  is_owner TINYINT(1) NOT NULL,
  address VARCHAR(64) COLLATE ascii_bin NOT NULL,
  idempotency_hash CHAR(64) COLLATE ascii_bin NULL,
  request_hash CHAR(64) COLLATE ascii_bin NULL,
  state VARCHAR(20) COLLATE ascii_bin NOT NULL,
  fault_kind VARCHAR(20) COLLATE ascii_bin NULL,
  detail VARCHAR(500) NULL,
  -- Encrypted: what was answered.
  answer TEXT NULL,
  -- The last attempt that was begun, for operators. The mail of the instance counts them.
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  deadline_at DATETIME(3) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  -- When the PBX was last told something it may still do.
  called_at DATETIME(3) NULL,
  finished_at DATETIME(3) NULL,
  mark CHAR(64) COLLATE ascii_bin NULL,
  -- Whether the caller accepts that the messages of the mailbox are deleted.
  may_discard TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (number),
  UNIQUE INDEX tel_operations_id_unique (id),
  UNIQUE INDEX tel_operations_idempotency_hash_unique (idempotency_hash),
  INDEX tel_operations_instance_state_number_index (instance, state, number),
  INDEX tel_operations_state_finished_at_index (state, finished_at),
  INDEX tel_operations_company_id_number_index (company_id, number),
  INDEX tel_operations_instance_mark_index (instance, mark),
  -- The portal shows what became of the last order about each extension.
  INDEX tel_operations_of_extension (instance, extension_number, number)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- The last comparison of each PBX with the database: a report names every extension that differs.
CREATE TABLE IF NOT EXISTS tel_drift (
  instance CHAR(36) COLLATE ascii_bin NOT NULL,
  -- It answers all requests that came before.
  begun_at DATETIME(3) NOT NULL,
  at DATETIME(3) NOT NULL,
  is_complete TINYINT(1) NOT NULL,
  report MEDIUMTEXT NOT NULL,
  PRIMARY KEY (instance)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Orders of many extensions at once, with a result for each row.
CREATE TABLE IF NOT EXISTS tel_bulk_orders (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  is_owner TINYINT(1) NOT NULL,
  address VARCHAR(64) COLLATE ascii_bin NOT NULL,
  instance CHAR(36) COLLATE ascii_bin NOT NULL,
  mode VARCHAR(10) COLLATE ascii_bin NOT NULL,
  is_finished TINYINT(1) NOT NULL,
  total INT UNSIGNED NOT NULL,
  -- Encrypted: rows may hold credentials. Gone once all are done.
  content MEDIUMTEXT NULL,
  results MEDIUMTEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  -- A worker checks the rows by the rights of whoever placed the order.
  is_at_portal TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  INDEX tel_bulk_orders_company_id_created_at_index (company_id, created_at),
  INDEX tel_bulk_orders_is_finished_updated_at_index (is_finished, updated_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Numbers, contacts, conversations and texts of companies.
CREATE TABLE IF NOT EXISTS tel_text_numbers (
  e164 VARCHAR(16) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  carrier_account_id CHAR(24) COLLATE ascii_bin NOT NULL,
  label VARCHAR(100) NOT NULL DEFAULT '',
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (e164),
  INDEX tel_text_numbers_company_id_e164_index (company_id, e164),
  INDEX tel_text_numbers_carrier_account_id_index (carrier_account_id),
  CONSTRAINT tel_text_numbers_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_texting_contacts (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  number VARCHAR(16) COLLATE ascii_bin NOT NULL,
  -- As it was entered.
  raw_number VARCHAR(40) NOT NULL,
  first_name VARCHAR(100) NOT NULL,
  last_name VARCHAR(100) NOT NULL,
  -- Conversations go on showing the number of a contact that was removed.
  is_removed TINYINT(1) NOT NULL DEFAULT 0,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_texting_contacts_company_id_number_unique (company_id, number),
  INDEX tel_texting_contacts_listed (company_id, is_removed, first_name, last_name, id),
  CONSTRAINT tel_texting_contacts_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_opt_outs (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  our_number VARCHAR(16) COLLATE ascii_bin NOT NULL,
  their_number VARCHAR(16) COLLATE ascii_bin NOT NULL,
  source VARCHAR(10) COLLATE ascii_bin NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_opt_outs_company_id_our_number_their_number_unique (company_id, our_number, their_number),
  INDEX tel_opt_outs_company_id_created_at_id_index (company_id, created_at, id),
  CONSTRAINT tel_opt_outs_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_conversations (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  conversation_type VARCHAR(10) COLLATE ascii_bin NOT NULL,
  name VARCHAR(100) NOT NULL,
  from_number VARCHAR(16) COLLATE ascii_bin NOT NULL,
  -- The first member.
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  -- The contact of a direct conversation that is not deleted: there is one for each pair of numbers.
  direct_with CHAR(24) COLLATE ascii_bin NULL,
  timezone VARCHAR(64) NOT NULL,
  -- Of whoever began it with a key: the same again is the same conversation again.
  origin_hash CHAR(64) COLLATE ascii_bin NULL,
  is_deleted TINYINT(1) NOT NULL DEFAULT 0,
  -- How many texts it ever had, how many of them came in, and how many were deleted.
  last_seq INT UNSIGNED NOT NULL DEFAULT 0,
  inbound_count INT UNSIGNED NOT NULL DEFAULT 0,
  hidden_count INT UNSIGNED NOT NULL DEFAULT 0,
  last_text_id CHAR(24) COLLATE ascii_bin NULL,
  last_activity_at DATETIME(3) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_conversations_origin_hash_unique (origin_hash),
  UNIQUE INDEX tel_conversations_company_id_from_number_direct_with_unique (company_id, from_number, direct_with),
  INDEX tel_conversations_contact_id_foreign (contact_id),
  INDEX tel_conversations_listed (company_id, is_deleted, last_activity_at, id),
  CONSTRAINT tel_conversations_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id),
  CONSTRAINT tel_conversations_contact_id_foreign FOREIGN KEY (contact_id) REFERENCES tel_texting_contacts (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_conversation_members (
  conversation_id CHAR(24) COLLATE ascii_bin NOT NULL,
  position TINYINT UNSIGNED NOT NULL,
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (conversation_id, position),
  INDEX tel_conversation_members_contact_id_conversation_id_index (contact_id, conversation_id),
  CONSTRAINT tel_conversation_members_contact_id_foreign FOREIGN KEY (contact_id) REFERENCES tel_texting_contacts (id),
  CONSTRAINT tel_conversation_members_conversation_id_foreign
    FOREIGN KEY (conversation_id) REFERENCES tel_conversations (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Somebody's own view of a conversation: what came in up to read_to is read, and tel_text_reads has what is above.
CREATE TABLE IF NOT EXISTS tel_conversation_views (
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(24) COLLATE ascii_bin NOT NULL,
  read_to INT UNSIGNED NOT NULL DEFAULT 0,
  pinned_at DATETIME(3) NULL,
  PRIMARY KEY (contact_id, conversation_id),
  INDEX tel_conversation_views_conversation_id_foreign (conversation_id),
  CONSTRAINT tel_conversation_views_conversation_id_foreign
    FOREIGN KEY (conversation_id) REFERENCES tel_conversations (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_texts (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(24) COLLATE ascii_bin NOT NULL,
  seq INT UNSIGNED NOT NULL,
  -- Counts what came in; null for what was sent.
  inbound_seq INT UNSIGNED NULL,
  direction VARCHAR(8) COLLATE ascii_bin NOT NULL,
  text TEXT NOT NULL,
  status VARCHAR(10) COLLATE ascii_bin NOT NULL,
  -- The order of the states, so that an update can refuse to go back.
  status_rank TINYINT UNSIGNED NOT NULL,
  segments SMALLINT UNSIGNED NOT NULL,
  error_code VARCHAR(50) NOT NULL DEFAULT '',
  error_detail VARCHAR(500) NOT NULL DEFAULT '',
  -- The user who sent it; null for what came in or was answered automatically.
  sender_id CHAR(24) COLLATE ascii_bin NULL,
  stamp_id VARCHAR(100) COLLATE utf8mb4_bin NULL,
  idempotency_key VARCHAR(255) COLLATE ascii_bin NULL,
  carrier_account_id CHAR(24) COLLATE ascii_bin NULL,
  carrier_message_id VARCHAR(128) COLLATE utf8mb4_bin NULL,
  -- A deleted text stays as an empty row, so that telling of it again does not bring it back.
  deleted_at DATETIME(3) NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_texts_conversation_id_seq_unique (conversation_id, seq),
  UNIQUE INDEX tel_texts_conversation_id_inbound_seq_unique (conversation_id, inbound_seq),
  UNIQUE INDEX tel_texts_stamp (conversation_id, sender_id, stamp_id),
  UNIQUE INDEX tel_texts_idempotency (conversation_id, sender_id, idempotency_key),
  UNIQUE INDEX tel_texts_carrier (carrier_account_id, carrier_message_id),
  CONSTRAINT tel_texts_conversation_id_foreign FOREIGN KEY (conversation_id) REFERENCES tel_conversations (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_text_sends (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  text_id CHAR(24) COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(24) COLLATE ascii_bin NOT NULL,
  -- The order of sending in a conversation: the text's number, then the member's place.
  seq INT UNSIGNED NOT NULL,
  position TINYINT UNSIGNED NOT NULL,
  to_number VARCHAR(16) COLLATE ascii_bin NOT NULL,
  carrier_account_id CHAR(24) COLLATE ascii_bin NOT NULL,
  carrier_message_id VARCHAR(128) COLLATE utf8mb4_bin NULL,
  status VARCHAR(10) COLLATE ascii_bin NOT NULL,
  -- The order of the states, so that an update can refuse to go back.
  status_rank TINYINT UNSIGNED NOT NULL,
  error_code VARCHAR(50) NOT NULL DEFAULT '',
  error_detail VARCHAR(500) NOT NULL DEFAULT '',
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  -- When the carrier was called; null again once it is certain that it did not take the text.
  called_at DATETIME(3) NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_text_sends_text_id_position_unique (text_id, position),
  UNIQUE INDEX tel_text_sends_carrier (carrier_account_id, carrier_message_id),
  INDEX tel_text_sends_next (conversation_id, status_rank, seq, position),
  INDEX tel_text_sends_status_rank_updated_at_index (status_rank, updated_at),
  CONSTRAINT tel_text_sends_text_id_foreign FOREIGN KEY (text_id) REFERENCES tel_texts (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_text_files (
  text_id CHAR(24) COLLATE ascii_bin NOT NULL,
  position TINYINT UNSIGNED NOT NULL,
  file_id CHAR(24) COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (text_id, position),
  INDEX tel_text_files_file_id_index (file_id),
  CONSTRAINT tel_text_files_text_id_foreign FOREIGN KEY (text_id) REFERENCES tel_texts (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- What somebody has read above their mark; under the id of nobody, what is deleted and counts as read by all.
CREATE TABLE IF NOT EXISTS tel_text_reads (
  conversation_id CHAR(24) COLLATE ascii_bin NOT NULL,
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  inbound_seq INT UNSIGNED NOT NULL,
  PRIMARY KEY (conversation_id, contact_id, inbound_seq),
  CONSTRAINT tel_text_reads_conversation_id_foreign FOREIGN KEY (conversation_id) REFERENCES tel_conversations (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Accounts with carriers.
CREATE TABLE IF NOT EXISTS tel_carrier_accounts (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  carrier VARCHAR(20) COLLATE ascii_bin NOT NULL,
  api_url VARCHAR(254) NOT NULL,
  token_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  -- Encrypted: the token and what the carrier is spoken to with.
  sealed TEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_carrier_accounts_token_hash_unique (token_hash),
  INDEX tel_carrier_accounts_company_id_index (company_id),
  CONSTRAINT tel_carrier_accounts_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- What carriers told us.
CREATE TABLE IF NOT EXISTS tel_carrier_calls (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  account_id CHAR(24) COLLATE ascii_bin NOT NULL,
  -- Of texts or of faxes: each is read by a command of its own.
  about VARCHAR(10) COLLATE ascii_bin NOT NULL,
  -- The carrier's own name for the event, hashed; of the body where it has none.
  dedupe_key CHAR(64) COLLATE ascii_bin NOT NULL,
  url VARCHAR(500) NOT NULL,
  body MEDIUMTEXT NOT NULL,
  state VARCHAR(10) COLLATE ascii_bin NOT NULL,
  attempts SMALLINT UNSIGNED NOT NULL DEFAULT 0,
  -- The carrier's id of a text that we do not know yet.
  awaits VARCHAR(128) COLLATE ascii_bin NULL,
  error VARCHAR(500) NULL,
  created_at DATETIME(3) NOT NULL,
  next_try_at DATETIME(3) NOT NULL,
  finished_at DATETIME(3) NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_carrier_calls_account_id_dedupe_key_unique (account_id, dedupe_key),
  INDEX tel_carrier_calls_due (account_id, state, next_try_at, id),
  INDEX tel_carrier_calls_state_next_try_at_index (state, next_try_at),
  INDEX tel_carrier_calls_state_finished_at_index (state, finished_at),
  INDEX tel_carrier_calls_account_id_awaits_index (account_id, awaits)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Files of companies with their bytes in pieces, faxes, and where faxes are announced.
CREATE TABLE IF NOT EXISTS tel_files (
  number BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  -- Who brought it: a user of the company, or the texting contact it came from.
  user_id CHAR(24) COLLATE ascii_bin NULL,
  name VARCHAR(255) NOT NULL,
  -- What the bytes were called when they were brought.
  uploaded_name VARCHAR(255) NOT NULL DEFAULT '',
  description VARCHAR(500) NOT NULL DEFAULT '',
  mimetype VARCHAR(100) COLLATE ascii_bin NOT NULL,
  size BIGINT UNSIGNED NOT NULL DEFAULT 0,
  -- Where the carrier keeps it: a file that came with a text.
  source_url VARCHAR(2000) NULL,
  created_at DATETIME(3) NOT NULL,
  uploaded_at DATETIME(3) NULL,
  PRIMARY KEY (number),
  UNIQUE INDEX tel_files_id_unique (id),
  INDEX tel_files_company_id_number_index (company_id, number),
  CONSTRAINT tel_files_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_file_chunks (
  file_id CHAR(24) COLLATE ascii_bin NOT NULL,
  place INT UNSIGNED NOT NULL,
  bytes MEDIUMBLOB NOT NULL,
  PRIMARY KEY (file_id, place),
  CONSTRAINT tel_file_chunks_file_id_foreign FOREIGN KEY (file_id) REFERENCES tel_files (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_faxes (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  direction VARCHAR(8) COLLATE ascii_bin NOT NULL,
  status VARCHAR(10) COLLATE ascii_bin NOT NULL,
  file_id CHAR(24) COLLATE ascii_bin NULL,
  from_number VARCHAR(40) COLLATE ascii_bin NOT NULL,
  from_name VARCHAR(100) NOT NULL,
  to_number VARCHAR(40) COLLATE ascii_bin NOT NULL,
  to_name VARCHAR(100) NOT NULL,
  subject VARCHAR(255) NOT NULL,
  pages INT UNSIGNED NOT NULL,
  is_read TINYINT(1) NOT NULL,
  carrier_account_id CHAR(24) COLLATE ascii_bin NOT NULL,
  carrier_message_id VARCHAR(128) COLLATE ascii_bin NULL,
  error VARCHAR(500) NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_faxes_carrier_account_id_carrier_message_id_unique (carrier_account_id, carrier_message_id),
  INDEX tel_faxes_company_id_created_at_id_index (company_id, created_at, id),
  INDEX tel_faxes_company_id_is_read_created_at_id_index (company_id, is_read, created_at, id),
  INDEX tel_faxes_file_id_index (file_id),
  CONSTRAINT tel_faxes_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_fax_destinations (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  emails TEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  INDEX tel_fax_destinations_company_id_created_at_id_index (company_id, created_at, id),
  CONSTRAINT tel_fax_destinations_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- How users are shown to each other, and who of them is connected.
CREATE TABLE IF NOT EXISTS tel_statuses (
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  main_status VARCHAR(40) NOT NULL,
  main_action_type VARCHAR(10) COLLATE ascii_bin NOT NULL,
  chosen_status VARCHAR(40) NULL,
  additional_status VARCHAR(40) NOT NULL,
  additional_action_type VARCHAR(10) COLLATE ascii_bin NOT NULL,
  is_online TINYINT(1) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  PRIMARY KEY (contact_id),
  UNIQUE INDEX tel_statuses_id_unique (id),
  INDEX tel_statuses_company_id_index (company_id),
  -- The sweep for those who went offline walks along it.
  INDEX tel_statuses_is_online_contact_id_index (is_online, contact_id),
  CONSTRAINT tel_statuses_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id),
  CONSTRAINT tel_statuses_contact_id_foreign FOREIGN KEY (contact_id) REFERENCES tel_contacts (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Reloads that PBXs wait for.
CREATE TABLE IF NOT EXISTS tel_reloads (
  instance CHAR(36) COLLATE ascii_bin NOT NULL,
  -- Whether changes were made since the last reload began.
  is_wanted TINYINT(1) NOT NULL DEFAULT 0,
  -- The reload under way, as the PBX calls it.
  transaction VARCHAR(64) COLLATE ascii_bin NULL,
  -- A reload that never ends is given up.
  begun_at DATETIME(3) NULL,
  PRIMARY KEY (instance)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- How contacts sign in to the portal: their passwords, the links that were mailed to them, and their sessions.
CREATE TABLE IF NOT EXISTS tel_passwords (
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  password_hash VARCHAR(255) COLLATE ascii_bin NOT NULL,
  set_at DATETIME(3) NOT NULL,
  PRIMARY KEY (contact_id),
  CONSTRAINT tel_passwords_contact_id_foreign FOREIGN KEY (contact_id) REFERENCES tel_contacts (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_entry_links (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  token_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  ends_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_entry_links_token_hash_unique (token_hash),
  INDEX tel_entry_links_ends_at_index (ends_at),
  INDEX tel_entry_links_contact_id_foreign (contact_id),
  CONSTRAINT tel_entry_links_contact_id_foreign FOREIGN KEY (contact_id) REFERENCES tel_contacts (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_sessions (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  token_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  -- The API key that opened it: both end together.
  key_hash CHAR(64) COLLATE ascii_bin NULL,
  opened_by VARCHAR(10) COLLATE ascii_bin NOT NULL,
  agent VARCHAR(200) NOT NULL,
  address VARCHAR(45) COLLATE ascii_bin NOT NULL,
  created_at DATETIME(3) NOT NULL,
  last_used_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX tel_sessions_token_hash_unique (token_hash),
  INDEX tel_sessions_contact_id_last_used_at_index (contact_id, last_used_at),
  INDEX tel_sessions_key_hash_index (key_hash),
  INDEX tel_sessions_last_used_at_index (last_used_at),
  CONSTRAINT tel_sessions_contact_id_foreign FOREIGN KEY (contact_id) REFERENCES tel_contacts (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Addresses to which companies have their events posted, and what became of each event.
CREATE TABLE IF NOT EXISTS tel_webhooks (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  url VARCHAR(500) NOT NULL,
  -- Encrypted: events are signed with it.
  secret TEXT NOT NULL,
  -- Names of events with commas between them; empty: all.
  events VARCHAR(500) COLLATE ascii_bin NOT NULL,
  is_active TINYINT(1) NOT NULL,
  -- The number of the last event of the company that became a delivery.
  position BIGINT UNSIGNED NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  INDEX tel_webhooks_company_id_index (company_id),
  INDEX tel_webhooks_is_active_index (is_active),
  CONSTRAINT tel_webhooks_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

CREATE TABLE IF NOT EXISTS tel_webhook_deliveries (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  webhook_id CHAR(24) COLLATE ascii_bin NOT NULL,
  event VARCHAR(64) COLLATE ascii_bin NOT NULL,
  body MEDIUMTEXT NOT NULL,
  state VARCHAR(10) COLLATE ascii_bin NOT NULL,
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  answer VARCHAR(300) NULL,
  due_at DATETIME(3) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  finished_at DATETIME(3) NULL,
  PRIMARY KEY (id),
  INDEX tel_webhook_deliveries_webhook_id_state_id_index (webhook_id, state, id),
  INDEX tel_webhook_deliveries_state_due_at_index (state, due_at),
  CONSTRAINT tel_webhook_deliveries_webhook_id_foreign
    FOREIGN KEY (webhook_id) REFERENCES tel_webhooks (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Texts that the people of a company send again and again.
CREATE TABLE IF NOT EXISTS tel_text_templates (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  text TEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  INDEX tel_text_templates_company_id_created_at_index (company_id, created_at),
  CONSTRAINT tel_text_templates_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
