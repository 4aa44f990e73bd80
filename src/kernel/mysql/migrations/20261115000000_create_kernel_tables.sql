-- The tables of the kernel.

-- The numbers that a tenant has given out.
CREATE TABLE IF NOT EXISTS kernel_counters (
  tenant VARCHAR(64) COLLATE ascii_bin NOT NULL,
  event_number BIGINT UNSIGNED NOT NULL DEFAULT 0,
  -- For products that number their records in commit order too, such as chat's messages.
  record_number BIGINT UNSIGNED NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- What is to be published, in the order of the commits.
CREATE TABLE IF NOT EXISTS kernel_outbox (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  publisher VARCHAR(32) COLLATE ascii_bin NOT NULL,
  tenant VARCHAR(64) COLLATE ascii_bin NOT NULL,
  -- An outbox row may hold several events of one commit: its number is that of the last event.
  number BIGINT UNSIGNED NULL,
  body MEDIUMTEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  published_at DATETIME(3) NULL,
  claimed_until DATETIME(3) NULL,
  claimed_by VARCHAR(24) COLLATE ascii_bin NULL,
  -- Clients may ask for it again: kept longer, and never in the way of the others.
  is_replayable TINYINT(1) NOT NULL DEFAULT 0,
  events SMALLINT UNSIGNED NOT NULL DEFAULT 1,
  -- If events leave a gap for the number of their record: the number for the first gap.
  first_record BIGINT UNSIGNED NULL,
  PRIMARY KEY (id),
  UNIQUE INDEX kernel_outbox_tenant_number_unique (tenant, number),
  INDEX kernel_outbox_claimed_by_index (claimed_by),
  -- Sweeping and deleting each read one kind of row, in order of time.
  INDEX kernel_outbox_published_index (is_replayable, published_at, created_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- The replies that jobs owe.
CREATE TABLE IF NOT EXISTS kernel_job_requests (
  id VARCHAR(24) COLLATE ascii_bin NOT NULL,
  job VARCHAR(64) COLLATE ascii_bin NOT NULL,
  state VARCHAR(8) COLLATE ascii_bin NOT NULL,
  answer MEDIUMTEXT NULL,
  created_at DATETIME(3) NOT NULL,
  finished_at DATETIME(3) NULL,
  PRIMARY KEY (id),
  INDEX kernel_job_requests_created_at_index (created_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- The limits that operators set for a tenant.
CREATE TABLE IF NOT EXISTS kernel_tenant_limits (
  tenant VARCHAR(64) COLLATE ascii_bin NOT NULL,
  name VARCHAR(32) COLLATE ascii_bin NOT NULL,
  most INT UNSIGNED NOT NULL,
  PRIMARY KEY (tenant, name)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- The mail of mailboxes that have no table of their own.
CREATE TABLE IF NOT EXISTS kernel_mail (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  mailbox VARCHAR(32) COLLATE ascii_bin NOT NULL,
  tenant VARCHAR(64) COLLATE ascii_bin NOT NULL,
  address VARCHAR(64) COLLATE ascii_bin NOT NULL,
  body MEDIUMTEXT NOT NULL,
  state VARCHAR(8) COLLATE ascii_bin NOT NULL,
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  reason VARCHAR(1000) NULL,
  due_at DATETIME(3) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  finished_at DATETIME(3) NULL,
  -- The version of the body: a worker leaves mail of a later release to that release's workers.
  version TINYINT UNSIGNED NOT NULL DEFAULT 1,
  PRIMARY KEY (id),
  INDEX kernel_mail_mailbox_address_state_id_index (mailbox, address, state, id),
  INDEX kernel_mail_mailbox_state_due_at_index (mailbox, state, due_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;

-- The leases of all mailboxes.
CREATE TABLE IF NOT EXISTS kernel_mailbox_leases (
  address VARCHAR(190) COLLATE ascii_bin NOT NULL,
  -- Random: a late writer never has the name of a later holder.
  holder VARCHAR(24) COLLATE ascii_bin NOT NULL,
  held_until DATETIME(3) NOT NULL,
  takeovers INT UNSIGNED NOT NULL,
  PRIMARY KEY (address)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
