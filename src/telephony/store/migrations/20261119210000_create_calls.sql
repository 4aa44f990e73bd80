-- Calls that have ended: one row for each, from the records that the PBX itself keeps of them.
CREATE TABLE IF NOT EXISTS tel_calls (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  pbx CHAR(36) COLLATE ascii_bin NOT NULL,
  -- What the PBX calls it, and the call that it came from by a transfer.
  call_id VARCHAR(150) COLLATE ascii_bin NOT NULL,
  linked_id VARCHAR(150) COLLATE ascii_bin NOT NULL,
  started_at DATETIME(3) NOT NULL,
  ended_at DATETIME(3) NOT NULL,
  direction VARCHAR(10) COLLATE ascii_bin NOT NULL,
  from_number VARCHAR(40) COLLATE ascii_bin NOT NULL,
  from_name VARCHAR(80) NOT NULL,
  dialled VARCHAR(40) COLLATE ascii_bin NOT NULL,
  to_number VARCHAR(40) COLLATE ascii_bin NOT NULL,
  answered_by VARCHAR(40) COLLATE ascii_bin NOT NULL,
  outcome VARCHAR(12) COLLATE ascii_bin NOT NULL,
  talk_seconds INT UNSIGNED NOT NULL,
  cause SMALLINT UNSIGNED NULL,
  -- The PBX's name of it; null once it is deleted.
  recording VARCHAR(200) COLLATE ascii_bin NULL,
  PRIMARY KEY (id),
  -- A record that is read again adds nothing.
  UNIQUE INDEX tel_calls_pbx_call_id_started_at_unique (pbx, call_id, started_at),
  INDEX tel_calls_pbx_started_at_id_index (pbx, started_at, id),
  INDEX tel_calls_company_id_started_at_index (company_id, started_at),
  CONSTRAINT tel_calls_company_id_foreign FOREIGN KEY (company_id) REFERENCES tel_companies (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- The numbers of each call, and whose extensions they were at that time.
CREATE TABLE IF NOT EXISTS tel_call_parties (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  number VARCHAR(40) COLLATE ascii_bin NOT NULL,
  pbx CHAR(36) COLLATE ascii_bin NOT NULL,
  contact_id CHAR(24) COLLATE ascii_bin NULL,
  started_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id, number),
  INDEX tel_call_parties_number_index (pbx, number, started_at, id),
  INDEX tel_call_parties_contact_id_index (contact_id, started_at, id),
  CONSTRAINT tel_call_parties_id_foreign FOREIGN KEY (id) REFERENCES tel_calls (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Until when what is known of the lines and calls of a PBX is true: nobody listens to it without a row, or after that.
CREATE TABLE IF NOT EXISTS tel_listeners (
  pbx CHAR(36) COLLATE ascii_bin NOT NULL,
  valid_until DATETIME(3) NOT NULL,
  PRIMARY KEY (pbx),
  CONSTRAINT tel_listeners_pbx_foreign FOREIGN KEY (pbx) REFERENCES tel_instances (uuid) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- What the listener last knew of each extension.
CREATE TABLE IF NOT EXISTS tel_lines (
  pbx CHAR(36) COLLATE ascii_bin NOT NULL,
  number BIGINT UNSIGNED NOT NULL,
  call_status VARCHAR(10) COLLATE ascii_bin NOT NULL,
  is_registered TINYINT(1) NOT NULL,
  PRIMARY KEY (pbx, number),
  CONSTRAINT tel_lines_pbx_foreign FOREIGN KEY (pbx) REFERENCES tel_instances (uuid) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Calls under way, as the listener last knew them.
CREATE TABLE IF NOT EXISTS tel_live_calls (
  pbx CHAR(36) COLLATE ascii_bin NOT NULL,
  call_id VARCHAR(150) COLLATE ascii_bin NOT NULL,
  company_id CHAR(24) COLLATE ascii_bin NOT NULL,
  -- JSON.
  data TEXT NOT NULL,
  PRIMARY KEY (pbx, call_id),
  INDEX tel_live_calls_company_id_index (company_id),
  CONSTRAINT tel_live_calls_pbx_foreign FOREIGN KEY (pbx) REFERENCES tel_instances (uuid) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
