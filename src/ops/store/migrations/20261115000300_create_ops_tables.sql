-- The tables of the operators.

-- Server operators: accounts of their own, never an organisation's role.
CREATE TABLE IF NOT EXISTS ops_operators (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  name VARCHAR(100) NOT NULL,
  access VARCHAR(10) COLLATE ascii_bin NOT NULL,
  key_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX ops_operators_name_unique (name),
  UNIQUE INDEX ops_operators_key_hash_unique (key_hash)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- What operators did.
CREATE TABLE IF NOT EXISTS ops_audit (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  at DATETIME(3) NOT NULL,
  operator VARCHAR(100) NOT NULL,
  via VARCHAR(10) COLLATE ascii_bin NOT NULL,
  action VARCHAR(40) COLLATE ascii_bin NOT NULL,
  target VARCHAR(500) NOT NULL,
  count INT UNSIGNED NULL,
  PRIMARY KEY (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- Sessions of operators who signed in with a browser. They end with their operator.
CREATE TABLE IF NOT EXISTS ops_sessions (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  operator_id INT UNSIGNED NOT NULL,
  token_hash CHAR(64) COLLATE ascii_bin NOT NULL,
  agent VARCHAR(200) NOT NULL,
  address VARCHAR(45) COLLATE ascii_bin NOT NULL,
  created_at DATETIME(3) NOT NULL,
  last_used_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX ops_sessions_token_hash_unique (token_hash),
  INDEX ops_sessions_operator_id_last_used_at_index (operator_id, last_used_at),
  CONSTRAINT ops_sessions_operator_id_foreign FOREIGN KEY (operator_id) REFERENCES ops_operators (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
